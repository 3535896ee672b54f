package plain

import (
	"math"
	"reflect"
)

// Fixed reports whether no function that is given a value of the type can change what others see of
// it: there is nothing behind a pointer.
func Fixed(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return Fixed(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !Fixed(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return t.Kind() == reflect.String || t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128
}

// deepest bounds the pointers that a fingerprint follows.
const deepest = 32

// Fingerprint is a hash value of a value and of all that it refers to. It is for one process.
func Fingerprint(v any) uint64 { return fingerprint(reflect.ValueOf(v), 0) }

func join(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

func fingerprint(v reflect.Value, depth int) uint64 {
	h := uint64(v.Kind()) + 1
	if depth > deepest {
		return h
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			h = join(h, 1)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h = join(h, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		h = join(h, v.Uint())
	case reflect.Float32, reflect.Float64:
		h = join(h, math.Float64bits(v.Float()))
	case reflect.String:
		for _, c := range []byte(v.String()) {
			h = join(h, uint64(c))
		}
	case reflect.Slice, reflect.Array:
		h = join(h, uint64(v.Len()))
		for i := range v.Len() {
			h = join(h, fingerprint(v.Index(i), depth+1))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			h = join(h, fingerprint(v.Field(i), depth+1))
		}
	case reflect.Map:
		sum := uint64(0) // in any order
		for entries := v.MapRange(); entries.Next(); {
			sum += join(fingerprint(entries.Key(), depth+1), fingerprint(entries.Value(), depth+1))
		}
		h = join(h, sum)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			h = join(h, fingerprint(v.Elem(), depth+1))
		}
	}
	return h
}

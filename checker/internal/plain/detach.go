package plain

import (
	"reflect"
	"unsafe"
)

// Detach replaces the references of a value by copies, so that no other code can change them:
// slices, maps, pointers, and so on recursively. Values that cannot be copied, such as functions,
// stay.
func Detach[T any](v *T) {
	if !Fixed(reflect.TypeFor[T]()) {
		detach(reflect.ValueOf(v).Elem(), map[unsafe.Pointer]reflect.Value{}, 0)
	}
}

// detach copies what an addressable value refers to. Pointers that were equal stay equal.
func detach(v reflect.Value, seen map[unsafe.Pointer]reflect.Value, depth int) {
	if depth > deepest || Fixed(v.Type()) {
		return
	}
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem() // unexported fields, too
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			detach(v.Field(i), seen, depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			detach(v.Index(i), seen, depth+1)
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		fresh := reflect.MakeSlice(v.Type(), v.Len(), v.Cap()) // appends go to the same place as before
		reflect.Copy(fresh, v)
		for i := range fresh.Len() {
			detach(fresh.Index(i), seen, depth+1)
		}
		v.Set(fresh)
	case reflect.Map:
		if !v.IsNil() {
			v.Set(detachedMap(v, seen, depth))
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		fresh, known := seen[v.UnsafePointer()]
		if !known {
			fresh = reflect.New(v.Type().Elem())
			seen[v.UnsafePointer()] = fresh
			fresh.Elem().Set(v.Elem())
			detach(fresh.Elem(), seen, depth+1)
		}
		if fresh.Type() == v.Type() {
			v.Set(fresh)
		}
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		fresh := reflect.New(v.Elem().Type()).Elem()
		fresh.Set(v.Elem())
		detach(fresh, seen, depth+1)
		v.Set(fresh)
	}
}

func detachedMap(v reflect.Value, seen map[unsafe.Pointer]reflect.Value, depth int) reflect.Value {
	fresh := reflect.MakeMapWithSize(v.Type(), v.Len())
	for entries := v.MapRange(); entries.Next(); {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(entries.Value())
		detach(value, seen, depth+1)
		fresh.SetMapIndex(entries.Key(), value)
	}
	return fresh
}

package blame

import (
	"fmt"
	"math"
	"reflect"
)

// Difference is the first part in which two values differ.
type Difference struct {
	Path       string // from the type on: peer.Job.Hops
	One, Other string // the two parts
}

// deepest bounds the path of a difference.
const deepest = 64

// Compare returns the first difference of two values, or nil if there is none. An empty list and no
// list do not differ.
func Compare(one, other any) *Difference {
	if reflect.DeepEqual(one, other) {
		return nil
	}
	a, b := reflect.ValueOf(one), reflect.ValueOf(other)
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
		return &Difference{"the type", typeOf(a), typeOf(b)}
	}
	return compare(a, b, 0).below(a.Type().String())
}

// compare compares two values of one type. The path of the difference begins below them.
func compare(a, b reflect.Value, depth int) *Difference {
	if depth > deepest {
		return nil
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if d := compare(a.Field(i), b.Field(i), depth+1); d != nil {
				return d.below("." + a.Type().Field(i).Name)
			}
		}
		return nil
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return &Difference{" (its length)", fmt.Sprint(a.Len()), fmt.Sprint(b.Len())}
		}
		for i := range a.Len() {
			if d := compare(a.Index(i), b.Index(i), depth+1); d != nil {
				return d.below(fmt.Sprintf("[%d]", i))
			}
		}
		return nil
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return differ(a.IsNil() == b.IsNil(), a, b)
		}
		if a.Elem().Type() != b.Elem().Type() {
			return &Difference{" (its type)", typeOf(a.Elem()), typeOf(b.Elem())}
		}
		return compare(a.Elem(), b.Elem(), depth+1)
	case reflect.Map:
		return compareMaps(a, b, depth)
	case reflect.Func:
		return differ(a.IsNil() == b.IsNil(), a, b)
	case reflect.Float32, reflect.Float64:
		return differ(math.Float64bits(a.Float()) == math.Float64bits(b.Float()), a, b)
	}
	return differ(a.Equal(b), a, b)
}

func compareMaps(a, b reflect.Value, depth int) *Difference {
	if a.Len() != b.Len() {
		return &Difference{" (its length)", fmt.Sprint(a.Len()), fmt.Sprint(b.Len())}
	}
	for _, key := range a.MapKeys() {
		one, other := a.MapIndex(key), b.MapIndex(key)
		if !other.IsValid() {
			return &Difference{fmt.Sprintf("[%v]", key), fmt.Sprint(one), "nothing"}
		}
		if d := compare(one, other, depth+1); d != nil {
			return d.below(fmt.Sprintf("[%v]", key))
		}
	}
	return nil
}

// differ makes a difference of two parts, unless they are equal.
func differ(equal bool, one, other reflect.Value) *Difference {
	if equal {
		return nil
	}
	return &Difference{"", fmt.Sprint(one), fmt.Sprint(other)}
}

// below puts the part in front of the path.
func (d *Difference) below(part string) *Difference {
	if d != nil {
		d.Path = part + d.Path
	}
	return d
}

func typeOf(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	return v.Type().String()
}

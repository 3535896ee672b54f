package plain

import (
	"encoding/binary"
	"fmt"
	"reflect"
)

// Encode appends the encoding of a value to dst.
type Encode func(dst []byte, v reflect.Value) []byte

// Encoder returns the function that encodes the values of a type, or an error that names the part
// of the type that is in the way.
func Encoder(t reflect.Type) (Encode, error) { return encoder(t, t.String()) }

func encoder(t reflect.Type, name string) (Encode, error) {
	switch t.Kind() {
	case reflect.Bool:
		return encodeBool, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return encodeInt, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return encodeUint, nil
	case reflect.String:
		return encodeString, nil
	case reflect.Array:
		element, err := encoder(t.Elem(), name+"[i]")
		if err != nil {
			return nil, err
		}
		return encodeArray(t.Len(), element), nil
	case reflect.Struct:
		return structEncoder(t, name)
	}
	return nil, fmt.Errorf("%s is of kind %s", name, t.Kind())
}

// structEncoder encodes the fields of a struct in their order. Blank fields are no part of ==.
func structEncoder(t reflect.Type, name string) (Encode, error) {
	var places []int
	var fields []Encode
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		field, err := encoder(f.Type, name+"."+f.Name)
		if err != nil {
			return nil, err
		}
		places, fields = append(places, i), append(fields, field)
	}
	return func(dst []byte, v reflect.Value) []byte {
		for i, field := range fields {
			dst = field(dst, v.Field(places[i]))
		}
		return dst
	}, nil
}

func encodeArray(n int, element Encode) Encode {
	return func(dst []byte, v reflect.Value) []byte {
		for i := range n {
			dst = element(dst, v.Index(i))
		}
		return dst
	}
}

func encodeBool(dst []byte, v reflect.Value) []byte {
	if v.Bool() {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func encodeInt(dst []byte, v reflect.Value) []byte { return binary.AppendVarint(dst, v.Int()) }

func encodeUint(dst []byte, v reflect.Value) []byte { return binary.AppendUvarint(dst, v.Uint()) }

func encodeString(dst []byte, v reflect.Value) []byte {
	return append(binary.AppendUvarint(dst, uint64(v.Len())), v.String()...)
}

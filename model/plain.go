package model

import (
	"fmt"
	"math"
	"reflect"

	"github.com/canvass-grid/canvass/protocol"
)

// Plain makes a core of a step function whose states, messages and commands are plain values:
// booleans, integers, strings, and slices, arrays and structs of plain values. All fields must be
// exported. Encodings follow from the types. Texts are those of %+v in package fmt, so String
// methods are used.
//
// Plain is for examples and first drafts. It costs little in a check, which encodes each value
// once. A core for production needs its own encodings, with its own limits.
//
// Plain panics if a type is not plain, and names the type. A step that makes a slice or a string of
// more than [protocol.MaxItems] items panics, too. Nil and empty slices have the same encoding, so
// a step must not distinguish them.
func Plain[S, M, C any](step func(S, protocol.Input[M, C]) (S, protocol.Output[M])) protocol.Core[S, M, C] {
	for _, err := range []error{mustBePlain[S](), mustBePlain[M](), mustBePlain[C]()} {
		if err != nil {
			panic(err)
		}
	}
	return plain[S, M, C]{step}
}

// plain is a core whose encodings follow from its types.
type plain[S, M, C any] struct {
	step func(S, protocol.Input[M, C]) (S, protocol.Output[M])
}

func (p plain[S, M, C]) Step(s S, in protocol.Input[M, C]) (S, protocol.Output[M]) {
	return p.step(s, in)
}

func (plain[S, M, C]) AppendState(dst []byte, s S) []byte   { return appendPlain(dst, s) }
func (plain[S, M, C]) AppendMessage(dst []byte, m M) []byte { return appendPlain(dst, m) }
func (plain[S, M, C]) AppendCommand(dst []byte, c C) []byte { return appendPlain(dst, c) }

func (plain[S, M, C]) DecodeState(src []byte) (S, error)   { return decodePlain[S](src) }
func (plain[S, M, C]) DecodeMessage(src []byte) (M, error) { return decodePlain[M](src) }
func (plain[S, M, C]) DecodeCommand(src []byte) (C, error) { return decodePlain[C](src) }

func (plain[S, M, C]) StateText(s S) string   { return fmt.Sprintf("%+v", s) }
func (plain[S, M, C]) MessageText(m M) string { return fmt.Sprintf("%+v", m) }
func (plain[S, M, C]) CommandText(c C) string { return fmt.Sprintf("%+v", c) }

func (plain[S, M, C]) TimerText(t protocol.Timer) string {
	if t.Peer.IsNobody() {
		return fmt.Sprintf("timer %d", t.Kind)
	}
	return fmt.Sprintf("timer %d %v", t.Kind, t.Peer)
}

// mustBePlain returns an error that names the part of a type that is not plain.
func mustBePlain[T any]() error { return notPlain(reflect.TypeFor[T](), map[reflect.Type]bool{}) }

func notPlain(t reflect.Type, seen map[reflect.Type]bool) error {
	if seen[t] {
		return nil // checked already, or being checked
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return nil
	case reflect.Slice, reflect.Array:
		return notPlain(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				return fmt.Errorf("model: %v is not plain: its field %s is not exported", t, f.Name)
			}
			if err := notPlain(f.Type, seen); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("model: %v is not plain: use booleans, integers, strings, slices, arrays and structs", t)
}

func appendPlain(dst []byte, value any) []byte { return appendValue(dst, reflect.ValueOf(value)) }

func appendValue(dst []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return protocol.AppendBool(dst, v.Bool())
	case reflect.String:
		dst = appendCount(dst, v)
		for _, b := range []byte(v.String()) {
			dst = protocol.AppendUint(dst, uint64(b))
		}
		return dst
	case reflect.Slice:
		dst = appendCount(dst, v)
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			dst = appendValue(dst, v.Index(i))
		}
		return dst
	case reflect.Struct:
		for i := range v.NumField() {
			dst = appendValue(dst, v.Field(i))
		}
		return dst
	}
	if v.CanInt() {
		return protocol.AppendUint(dst, uint64(v.Int()<<1^v.Int()>>63))
	}
	return protocol.AppendUint(dst, v.Uint())
}

// appendCount appends the length of a list or a string. It panics if that could not be decoded.
func appendCount(dst []byte, v reflect.Value) []byte {
	if v.Len() > protocol.MaxItems {
		panic(
			fmt.Errorf("model: a %v of %d items is not plain: at most %d are possible", v.Type(), v.Len(), protocol.MaxItems),
		)
	}
	return protocol.AppendUint(dst, uint64(v.Len()))
}

func decodePlain[T any](src []byte) (T, error) {
	var value T
	r := protocol.NewReader(src)
	readValue(r, reflect.ValueOf(&value).Elem())
	if err := r.Close(); err != nil {
		var zero T
		return zero, fmt.Errorf("%T: %w", zero, err)
	}
	return value, nil
}

func readValue(r *protocol.Reader, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.Bool())
	case reflect.String:
		text := make([]byte, 0, 16)
		for n := r.Count(); n > 0 && r.OK(); n-- {
			text = append(text, byte(r.Uint(math.MaxUint8)))
		}
		v.SetString(string(text))
	case reflect.Slice:
		for n := r.Count(); n > 0 && r.OK(); n-- {
			v.Grow(1)
			v.SetLen(v.Len() + 1)
			readValue(r, v.Index(v.Len()-1))
		}
	case reflect.Array:
		for i := range v.Len() {
			readValue(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			readValue(r, v.Field(i))
		}
	default:
		readInteger(r, v)
	}
}

func readInteger(r *protocol.Reader, v reflect.Value) {
	if v.CanInt() {
		u := r.Uint(math.MaxUint64)
		n := int64(u>>1) ^ -int64(u&1)
		if v.OverflowInt(n) {
			r.Fail()
			return
		}
		v.SetInt(n)
		return
	}
	v.SetUint(r.Uint(math.MaxUint64 >> (64 - v.Type().Bits())))
}

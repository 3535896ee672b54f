package checker

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/blame"
)

// Every call of a function of a Spec is noted. A new function without a guard fails this test.
func TestEveryFunctionOfASpecIsNamed(t *testing.T) {
	m := &ValueModel[int]{spec: Spec[int]{Properties: []Predicate[int]{{}}}}
	var log blame.Log
	spoil := func(s reflect.Value) {
		for i := range s.NumField() {
			if f := s.Field(i); f.Kind() == reflect.Func {
				f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value { panic("no") }))
			}
		}
	}
	spoil(reflect.ValueOf(&m.spec).Elem())
	spoil(reflect.ValueOf(&m.spec.Properties[0]).Elem())
	g, n := m.guarded(&log), 0
	for _, s := range []reflect.Value{reflect.ValueOf(g.spec), reflect.ValueOf(g.spec.Properties[0])} {
		for i := range s.NumField() {
			f, name := s.Field(i), s.Type().Field(i).Name
			if f.Kind() != reflect.Func || name == "Decode" { // Decode is called for checkpoints alone, and returns errors
				continue
			}
			n++
			log.Reset()
			require.Panics(t, func() {
				var args []reflect.Value
				for i := range f.Type().NumIn() {
					args = append(args, reflect.Zero(f.Type().In(i)))
				}
				f.Call(args)
			}, name)
			require.True(t, strings.HasPrefix(log.Running(), name), "%s is not guarded: %q", name, log.Running())
		}
	}
	assert.Equal(t, 7, n)
}

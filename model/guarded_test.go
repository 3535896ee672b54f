package model

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/protocol"
)

// failing is a core and a monitor that can do nothing.
type failing struct {
	protocol.Core[int, int, int]
	Monitor[int]
}

// Every function that a description has, and every method of its core and of its monitor, is noted
// when it is called. A new function that is not guarded fails this test.
func TestEveryFunctionOfASystemIsNamed(t *testing.T) {
	s := &System[int, int, int]{
		Core: failing{}, Monitor: failing{}, Symmetry: &Symmetry[int, int, int]{}, Properties: []Property[int, int]{{}},
	}
	spoil(reflect.ValueOf(s).Elem())
	spoil(reflect.ValueOf(s.Symmetry).Elem())
	spoil(reflect.ValueOf(&s.Properties[0]).Elem())
	var log blame.Log
	g := s.guarded(&log)
	n := requireNamed(t, &log, reflect.ValueOf(g).Elem(), "") +
		requireNamed(t, &log, reflect.ValueOf(g.Symmetry).Elem(), "Symmetry.") +
		requireNamed(t, &log, reflect.ValueOf(&g.Properties[0]).Elem(), "")
	core := reflect.ValueOf(&g.Core).Elem()
	for i := range core.NumMethod() {
		requireFails(t, &log, core.Method(i), core.Type().Method(i).Name+" of the core")
	}
	monitor := reflect.ValueOf(&g.Monitor).Elem()
	for i := range monitor.NumMethod() {
		requireFails(t, &log, monitor.Method(i), "Monitor."+monitor.Type().Method(i).Name)
	}
	assert.Equal(t, 17, n, "functions in fields")
}

// spoil makes every function in a struct panic.
func spoil(s reflect.Value) {
	for i := range s.NumField() {
		if f := s.Field(i); f.Kind() == reflect.Func {
			f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value { panic("no") }))
		}
	}
}

// requireNamed calls every function in a struct, and counts them.
func requireNamed(t *testing.T, log *blame.Log, s reflect.Value, prefix string) (n int) {
	for i := range s.NumField() {
		if f := s.Field(i); f.Kind() == reflect.Func {
			requireFails(t, log, f, prefix+s.Type().Field(i).Name)
			n++
		}
	}
	return n
}

func requireFails(t *testing.T, log *blame.Log, f reflect.Value, name string) {
	t.Helper()
	log.Reset()
	require.Panics(t, func() {
		var args []reflect.Value
		for i := range f.Type().NumIn() {
			args = append(args, reflect.Zero(f.Type().In(i)))
		}
		f.Call(args)
	})
	require.True(t, strings.HasPrefix(log.Running(), name), "%s is not guarded: %q", name, log.Running())
}

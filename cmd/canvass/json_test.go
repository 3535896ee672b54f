package main

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/cmd/canvass/check"
	"github.com/canvass-grid/canvass/cmd/canvass/replay"
	"github.com/canvass-grid/canvass/cmd/canvass/simulate"
	"github.com/canvass-grid/canvass/internal/cli"
)

// The help topic json names every field of every object.
func TestJSONHelp(t *testing.T) {
	words := map[string]bool{}
	for _, word := range regexp.MustCompile(`[a-z_]+`).FindAllString(jsonHelp, -1) {
		words[word] = true
	}
	var fields func(of reflect.Type)
	fields = func(of reflect.Type) {
		for i := range of.NumField() {
			f := of.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			assert.True(t, words[name], "%s.%s is not documented", of.Name(), name)
			inner := f.Type
			for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct && inner.PkgPath() == of.PkgPath() {
				fields(inner)
			}
		}
	}
	for _, object := range []any{
		check.ResultObject{}, check.ModelObject{}, simulate.ResultObject{}, simulate.ScenarioObject{}, replay.Object{},
		cli.Build{},
	} {
		fields(reflect.TypeOf(object))
	}
	for line := range strings.Lines(jsonHelp + exitHelp) {
		assert.LessOrEqual(t, len(line), 110)
	}
}

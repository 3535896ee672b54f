package commandtest

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Described demands that help describes every field of some objects, which have more than the given
// number of fields, and that every name with an underscore in the help is a field.
func Described(t *testing.T, help string, fewest int, objects ...any) {
	t.Helper()
	described := map[string]bool{}
	for _, word := range regexp.MustCompile(`[a-z0-9_]+`).FindAllString(help, -1) {
		described[word] = true
	}
	written := map[string]bool{}
	for _, object := range objects {
		fields(reflect.TypeOf(object), written)
	}
	assert.Greater(t, len(written), fewest)
	for name := range written {
		assert.True(t, described[name], "the field %q is not described", name)
	}
	for word := range described {
		if strings.Contains(word, "_") && word != "_ns" {
			assert.True(t, written[word], "%q is described, but is not a field", word)
		}
	}
}

// ours matches the packages whose types commands write as objects, field by field.
var ours = regexp.MustCompile(`/canvass/(daemon|cmd/canvass|internal/cli)(/|$)`)

// fields collects the names of the fields of a type, and of those within.
func fields(of reflect.Type, names map[string]bool) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		fields(of.Elem(), names)
	case reflect.Struct:
		if ours.MatchString(of.PkgPath()) {
			for i := range of.NumField() {
				if name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ","); !of.Field(i).Anonymous {
					names[name] = true
				}
				fields(of.Field(i).Type, names)
			}
		}
	}
}

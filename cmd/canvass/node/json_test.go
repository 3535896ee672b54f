package node_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	commands "github.com/canvass-grid/canvass/cmd/canvass/node"
	"github.com/canvass-grid/canvass/daemon/api"
)

// Every field that a command writes is described, and every described name is a field or a word.
func TestEveryFieldOfTheJSONIsDescribed(t *testing.T) {
	described := map[string]bool{}
	for _, word := range regexp.MustCompile(`[a-z0-9_]+`).FindAllString(commands.JSONHelp, -1) {
		described[word] = true
	}
	written := map[string]bool{}
	for _, value := range []any{
		api.NodeReport{}, api.Token{}, commands.Made{}, commands.Ready{},
	} {
		fields(reflect.TypeOf(value), written)
	}
	assert.Greater(t, len(written), 30)
	for name := range written {
		assert.True(t, described[name], "the field %q is not described", name)
	}
	for word := range described {
		if strings.Contains(word, "_") && word != "_ns" {
			assert.True(t, written[word], "%q is described, and is no field", word)
		}
	}
}

// fields collects the names of the fields of a type, and of those within.
func fields(of reflect.Type, names map[string]bool) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		fields(of.Elem(), names)
	case reflect.Struct:
		if strings.Contains(of.PkgPath(), "daemon") {
			for i := range of.NumField() {
				name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
				names[name] = true
				fields(of.Field(i).Type, names)
			}
		}
	}
}

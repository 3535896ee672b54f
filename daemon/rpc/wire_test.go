package rpc

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "write the golden file again")

// A daemon of another build reads the requests and responses. A change of the golden file is a
// change of the wire format, which has a version.
func TestTheWireFormatStays(t *testing.T) {
	var text strings.Builder
	for _, name := range Names() {
		for _, part := range []struct {
			what string
			of   reflect.Type
		}{{"request", declared[name].request}, {"response", declared[name].response}} {
			empty, full := reflect.New(part.of), reflect.New(part.of)
			fill(full.Elem())
			fmt.Fprintf(&text, "%s %s\n\t%s\n\t%s\n", name, part.what, written(t, empty), written(t, full))
		}
	}
	fmt.Fprintf(&text, "call\n\t%s\n", written(t, reflect.ValueOf(&call{ID: 1, Method: "m", Body: json.RawMessage("1")})))
	golden := filepath.Join("testdata", "wire.txt")
	if *rewrite {
		require.NoError(t, os.WriteFile(golden, []byte(text.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), text.String())
}

func written(t *testing.T, v reflect.Value) []byte {
	t.Helper()
	text, err := json.Marshal(v.Elem().Interface())
	require.NoError(t, err)
	return text
}

// fill gives each field a value that is not the zero value.
func fill(v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(1000, 5).UTC()))
		return
	case json.RawMessage:
		v.SetBytes([]byte(`{"x": "<1>"}`))
		return
	case []byte:
		v.SetBytes([]byte("ab<"))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString("s<é")
	case reflect.Bool:
		v.SetBool(true)
	default:
		if v.CanInt() {
			v.SetInt(7)
		} else if v.CanUint() {
			v.SetUint(7)
		}
	}
}

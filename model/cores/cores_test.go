package cores_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/model/cores"
	"github.com/canvass-grid/canvass/protocol"
)

type output = protocol.Output[string]

func appendText(dst []byte, m string) []byte { return append(dst, m...) }

func Example() {
	out := output{Set: []protocol.SetTimer{{Timer: protocol.Timer{Kind: 7}, MinTicks: 9, MaxTicks: 3}}}
	fmt.Println(cores.Impossible(&out))
	// Output: it sets a timer of kind 7 that fires after 9 ticks at least and 3 at most
}

// Each part of an output changes its encoding. A new field that does not fails this test.
func TestEveryPartOfAnOutputIsEncoded(t *testing.T) {
	parts := map[string]output{
		"Persist": {Persist: []byte{}},
		"Send":    {Send: []protocol.Envelope[string]{{Message: "a"}}},
		"Cancel":  {Cancel: []protocol.Timer{{Kind: 1}}},
		"Set":     {Set: []protocol.SetTimer{{MinTicks: 1, MaxTicks: 2}}},
		"Measure": {Measure: []protocol.NodeID{{}}},
		"Choose":  {Choose: 3},
		"Events":  {Events: []protocol.Event{{Detail: "x"}}},
	}
	met := map[string]string{string(cores.AppendOutput(nil, &output{}, appendText)): "nothing"}
	of := reflect.TypeFor[output]()
	for i := range of.NumField() {
		name := of.Field(i).Name
		part, known := parts[name]
		require.True(t, known, "%s needs an example here", name)
		encoded := string(cores.AppendOutput(nil, &part, appendText))
		assert.Empty(t, met[encoded], "%s is encoded as another output", name)
		met[encoded] = name
	}
}

// failing is a core that can do nothing.
type failing struct{ protocol.Core[int, int, int] }

// Every method of a core is noted when it is called. An unguarded new one fails this test.
func TestEveryMethodIsNamed(t *testing.T) {
	var log blame.Log
	guarded := reflect.ValueOf(cores.Guard(&log, protocol.Core[int, int, int](failing{})))
	of := reflect.TypeFor[protocol.Core[int, int, int]]()
	for i := range of.NumMethod() {
		method := guarded.MethodByName(of.Method(i).Name)
		log.Reset()
		require.Panics(t, func() {
			var args []reflect.Value
			for k := range method.Type().NumIn() {
				args = append(args, reflect.Zero(method.Type().In(k)))
			}
			method.Call(args)
		})
		assert.Equal(t, of.Method(i).Name+" of the core", log.Running())
	}
}

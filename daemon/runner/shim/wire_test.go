//go:build linux

package shim_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// Each text of a task reaches the shim with all its bytes, also a field that a later version adds.
func TestOrdersKeepBytes(t *testing.T) {
	var order shim.Order
	task := reflect.ValueOf(&order.Task).Elem()
	for i := range task.NumField() {
		switch f := task.Field(i); {
		case task.Type().Field(i).Name == "ID": // the daemon's own
			f.SetString("b4k2")
		case f.Kind() == reflect.String:
			f.SetString("/b\xe9")
		case f.Kind() == reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
			f.Index(0).SetString("w\xff")
		}
	}
	var wire bytes.Buffer
	require.NoError(t, shim.Send(&wire, order))
	var back shim.Order
	require.NoError(t, shim.Receive(&wire, &back))
	assert.Equal(t, order, back)
}

// A record has a limit, and ends where it says.
func TestRecords(t *testing.T) {
	var wire bytes.Buffer
	most := strings.Repeat("x", shim.RecordLimit-len(`""`))
	require.NoError(t, shim.Send(&wire, most))
	var back string
	require.NoError(t, shim.Receive(&wire, &back))
	assert.Equal(t, most, back)
	require.ErrorContains(t, shim.Send(&wire, most+"x"), "of 8388609 bytes, more than 8388608: shorten the command")
	require.Error(t, shim.Send(&wire, func() {}))
	assert.Zero(t, wire.Len(), "nothing was written")

	require.Equal(t, io.EOF, shim.Receive(&wire, &back))
	long := binary.BigEndian.AppendUint32(nil, shim.RecordLimit+1)
	require.ErrorContains(t, shim.Receive(bytes.NewReader(long), &back), "a record of 8388609 bytes, more than 8388608")
	require.Equal(t, io.ErrUnexpectedEOF, shim.Receive(strings.NewReader("\x00\x00\x00\x041"), &back))
}

// FuzzOrder reads the order of a shim: it takes what Send writes, and no more memory than that.
func FuzzOrder(f *testing.F) {
	var wire bytes.Buffer
	require.NoError(f, shim.Send(&wire, shim.Order{Task: shim.Task{ID: "b4k2"}}))
	f.Add(wire.Bytes())
	f.Add([]byte{255, 255, 255, 255})
	f.Add([]byte{0, 0, 0, 4, 'n', 'u', 'l', 'l'})
	f.Fuzz(func(t *testing.T, text []byte) {
		var order shim.Order
		if shim.Receive(bytes.NewReader(text), &order) != nil {
			return
		}
		var again bytes.Buffer
		require.NoError(t, shim.Send(&again, order))
		var back shim.Order
		require.NoError(t, shim.Receive(&again, &back))
		require.Equal(t, order, back)
	})
}

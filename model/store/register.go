package store

import (
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/model/linear"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// keyText names a key, without the dimensions at its end that are 0.
func keyText(key space.Point) string {
	last := len(key)
	for last > 1 && key[last-1] == 0 {
		last--
	}
	parts := make([]string, last)
	for i, v := range key[:last] {
		parts[i] = strconv.Itoa(int(v))
	}
	return strings.Join(parts, ",")
}

// registerInput is the operation on a register that an operation of the store is.
func registerInput(op store.Operation) linear.RegisterInput {
	return linear.RegisterInput{
		Kind: linear.RegisterKind(op.Kind), Key: keyText(op.Key), Value: op.Value, Expect: op.Expect,
	}
}

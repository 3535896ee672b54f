package linear

import (
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// KeyText names a key of package store, without the dimensions at its end that are 0.
func KeyText(key space.Point) string {
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

// RegisterInputOf is an operation of package store on a register.
func RegisterInputOf(op store.Operation) RegisterInput {
	return RegisterInput{Kind: RegisterKind(op.Kind), Key: KeyText(op.Key), Value: op.Value, Expect: op.Expect}
}

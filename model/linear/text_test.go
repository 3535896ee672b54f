package linear_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/model/linear"
)

// A text lists the operations on the bad object only, in the order of their calls. A long list is
// counted.
func TestTextDescribesViolation(t *testing.T) {
	put := func(key string, value uint32, from, to int64) linear.Operation {
		return linear.Operation{
			Client: int(from),
			Call:   from,
			Return: to,
			Input:  linear.RegisterInput{Kind: linear.Put, Key: key, Value: value},
			Output: linear.RegisterOutput{OK: true},
		}
	}
	get := func(key string, value uint32, from, to int64) linear.Operation {
		return linear.Operation{
			Client: int(from),
			Call:   from,
			Return: to,
			Input:  linear.RegisterInput{Kind: linear.Get, Key: key},
			Output: linear.RegisterOutput{OK: true, Value: value},
		}
	}
	spec := linear.Register()
	history := []linear.Operation{
		get("a", 0, 30, 40),
		put("b", 7, 1, 2),
		put("a", 1, 10, 20),
		put("a", 2, 15, 25),
		get("b", 7, 5, 6),
	}
	assert.Equal(t, "put a 1; meanwhile put a 2; then get a: 0", spec.Text(history, 0))
	no := func(o linear.Operation) linear.Operation { o.Rejected = true; return o }
	assert.Equal(
		t,
		"put a 3: rejected; then get a: 3",
		spec.Text([]linear.Operation{no(put("b", 3, 1, 2)), no(put("a", 3, 3, 4)), get("a", 3, 5, 6)}, 0),
	)
	for i := range int64(9) {
		history = append(history, get("a", 3, 100+10*i, 101+10*i))
	}
	assert.Equal(t, "a history of 12 operations violates specification register", spec.Text(history, 0))
}

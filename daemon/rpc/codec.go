package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrUnreadable is the error of data that no daemon of this release sends.
var ErrUnreadable = errors.New("invalid data from another daemon")

// checked is a request or a response that can be invalid although its JSON is valid: with values
// that are looked up, counted, or used as names.
type checked interface{ check() error }

// Decode decodes and checks data from another daemon. With an error the value is the zero value.
// All such data passes through it.
func Decode[T any](raw json.RawMessage) (value T, err error) {
	if err = json.Unmarshal(raw, &value); err == nil {
		if c, is := any(&value).(checked); is {
			err = c.check()
		}
	}
	if err != nil {
		var none T
		return none, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return value, nil
}

// None is a request or a response without content. Anything received in its place is ignored.
type None struct{}

// MarshalJSON writes null.
func (None) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// UnmarshalJSON ignores its argument.
func (*None) UnmarshalJSON([]byte) error { return nil }

// encode writes a request or a response.
func encode(value any) json.RawMessage {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // the types of the table can be written
	}
	return raw
}

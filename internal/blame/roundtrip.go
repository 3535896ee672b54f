package blame

import (
	"bytes"
	"fmt"
)

// Codec encodes and decodes the values of a type. Kind is the last word of its functions' names:
// AppendState and DecodeState encode and decode a State.
type Codec[T any] struct {
	Kind   string
	Encode func(dst []byte, value T) []byte
	Decode func(src []byte) (T, error)
}

// shownPrefix precedes each encoding.
const shownPrefix = 7

// RoundTrip returns an error if the encoding of a value decodes to another value. The error names
// the field that is lost.
func (c Codec[T]) RoundTrip(value T) error {
	encoded := c.Encode(nil, value)
	decoded, err := c.Decode(encoded)
	if err != nil {
		return fmt.Errorf("Decode%s refuses what Append%s makes of %+v: %w", c.Kind, c.Kind, value, err)
	}
	if d := Compare(value, decoded); d != nil {
		return fmt.Errorf("Append%s or Decode%s forgets a field: %s: %s was encoded, %s was decoded",
			c.Kind, c.Kind, d.Path, d.One, d.Other)
	}
	again := c.Encode([]byte{shownPrefix}, decoded)
	if len(again) == 0 || again[0] != shownPrefix {
		return fmt.Errorf("Append%s does not append to the bytes that it is given", c.Kind)
	}
	if !bytes.Equal(encoded, again[1:]) {
		return fmt.Errorf("Append%s has two encodings of %+v", c.Kind, value)
	}
	return nil
}

// Same returns an error if two values differ. They have the same encoding.
func (c Codec[T]) Same(known, value T) error {
	if d := Compare(known, value); d != nil {
		return fmt.Errorf("Append%s forgets a field: two values have the same encoding, but %s is %s in one and %s in "+
			"the other", c.Kind, d.Path, d.One, d.Other)
	}
	return nil
}

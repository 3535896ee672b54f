package cli

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/pflag"
)

// Schema is the version of the JSON objects that commands write, but for those about daemons and
// jobs, which have one of their own. Fields may be added under the same version; a field that is
// renamed, removed or given another meaning makes a new one.
const Schema = 2

// JSONFlag adds the flag with which a user asks for JSON.
func (o *Output) JSONFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&o.json, "json", false, `write JSON, one object a line (see "canvass help json")`)
}

// WantsJSON reports whether the user has asked for JSON.
func (o *Output) WantsJSON() bool { return o.json }

// JSON writes a value as one line of JSON.
func (o *Output) JSON(value any) error {
	text, err := JSON(value)
	if err != nil {
		return err
	}
	return o.write(text)
}

// JSON is a value as a line of JSON, without control characters.
func JSON(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return jsonHarmless(b.Bytes()), nil
}

// jsonHarmless escapes the control characters that JSON lets pass in strings.
func jsonHarmless(text []byte) []byte {
	harmful := func(r rune) bool { return r >= 0x7f && isHarmful(r) }
	if bytes.IndexFunc(text, harmful) < 0 {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case !harmful(r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default: // in two halves of UTF-16
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return b.Bytes()
}

// Print writes a value: as JSON if the user has asked for it, otherwise as the text that a function
// writes.
func (o *Output) Print(value any, text func() error) error {
	if o.json {
		return o.JSON(value)
	}
	return text()
}

// PrintAll writes values: as JSON, one a line, if the user has asked for it, otherwise as the text
// that a function writes.
func PrintAll[T any](o *Output, all []T, text func() error) error {
	if !o.json {
		return text()
	}
	for _, value := range all {
		if err := o.JSON(value); err != nil {
			return err
		}
	}
	return nil
}

package traces

import (
	"encoding/hex"
	"fmt"
	"io"
	"strconv"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// MaxBytes bounds the file of a trace. A larger one is neither written nor read.
const MaxBytes = 64 << 20

func tooLarge() error {
	return &FormatError{
		Place:   "the file",
		Also:    ErrTooLarge,
		Problem: fmt.Sprintf("has more than %d MiB, and no trace is that large", MaxBytes>>20),
	}
}

// Read reads a trace to the end of r. Every error about the file is a [FormatError], which wraps
// [ErrFormat]. It also wraps [ErrVersion] if another version of Canvass may be able to read the
// file.
func Read(r io.Reader) (*Trace, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading a trace: %w", err)
	}
	if len(data) > MaxBytes {
		return nil, tooLarge()
	}
	root, err := parse(data)
	if err != nil {
		return nil, err
	}
	d := &decoder{}
	t := d.trace(root)
	if d.err != nil {
		return nil, d.err
	}
	if err := t.validate(); err != nil {
		return nil, err
	}
	return t, nil
}

// ReadFile reads the trace in a file.
func ReadFile(path string) (*Trace, error) {
	file, err := fileio.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// decoder turns JSON into a trace. It keeps the first error; every later read returns zero.
type decoder struct{ err error }

func (d *decoder) fail(place, problem string) {
	if d.err == nil {
		d.err = misfit(place, problem)
	}
}

func (d *decoder) kind(place string, v jsonValue, want jsonKind) bool {
	if d.err == nil && v.kind != want {
		d.fail(place, fmt.Sprintf("is %s, not %s", v.kind, want))
	}
	return d.err == nil
}

func (d *decoder) str(place string, v jsonValue) string {
	if !d.kind(place, v, aString) {
		return ""
	}
	return v.text
}

func (d *decoder) integer(place string, v jsonValue) int {
	if !d.kind(place, v, aNumber) {
		return 0
	}
	n, err := strconv.ParseInt(v.text, 10, 32)
	if err != nil || strconv.FormatInt(n, 10) != v.text {
		d.fail(place, fmt.Sprintf("%s is not a small whole number", v.text))
		return 0
	}
	return int(n)
}

// isTrue reads a mark that is true or left out.
func (d *decoder) isTrue(place string, v jsonValue) bool {
	if v.kind != another || v.text != "true" {
		d.fail(place, "must be true; leave it out if it is not")
		return false
	}
	return true
}

func (d *decoder) list(place string, v jsonValue) []jsonValue {
	if !d.kind(place, v, anArray) {
		return nil
	}
	return v.values
}

// object returns the required fields of an object, in their order, and then the optional ones,
// whose kind is empty if they are absent. Other fields are errors.
func (d *decoder) object(place string, v jsonValue, required []string, optional ...string) []jsonValue {
	all := append(append([]string(nil), required...), optional...)
	fields := make([]jsonValue, len(all))
	if !d.kind(place, v, anObject) {
		return fields
	}
	index := make(map[string]int, len(all))
	for i, name := range all {
		index[name] = i
	}
	for i, name := range v.names {
		k, known := index[name]
		if !known {
			d.fail(place, fmt.Sprintf("the field %q is unknown; was the trace made by another version, or by hand?", name))
			return fields
		}
		fields[k] = v.values[i]
	}
	for i, name := range required {
		if fields[i].kind == "" {
			d.fail(place, fmt.Sprintf("the field %q is missing", name))
		}
	}
	return fields
}

// field returns one field of an object and ignores the rest.
func (v jsonValue) field(name string) (jsonValue, bool) {
	for i, n := range v.names {
		if n == name {
			return v.values[i], true
		}
	}
	return jsonValue{}, false
}

// option reads a variant as Quint writes it. Some of nothing is not written, so it is not read.
func (d *decoder) option(place string, v jsonValue) string {
	f := d.object(place, v, []string{"tag", "value"})
	switch tag := d.str(place+".tag", f[0]); {
	case d.err != nil:
	case tag == "Some":
		text := d.str(place+".value", f[1])
		if text == "" {
			d.fail(place, "is Some of nothing; write None")
		}
		return text
	case tag == "None":
		unit := d.object(place+".value", f[1], []string{"#tup"})
		if len(d.list(place+".value.#tup", unit[0])) > 0 {
			d.fail(place+".value", "is not the empty tuple")
		}
	default:
		d.fail(place+".tag", fmt.Sprintf("%q is neither Some nor None", tag))
	}
	return ""
}

func (d *decoder) data(place string, v jsonValue) []byte {
	text := d.option(place, v)
	data, err := hex.DecodeString(text)
	if err != nil || hex.EncodeToString(data) != text {
		d.fail(place, "is not in lower-case hexadecimal")
	}
	if len(data) == 0 {
		return nil
	}
	return data
}

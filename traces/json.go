package traces

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// jsonKind is the kind of a value in JSON.
type jsonKind string

const (
	anObject jsonKind = "an object"
	anArray  jsonKind = "an array"
	aString  jsonKind = "a string"
	aNumber  jsonKind = "a number"
	another  jsonKind = "true, false or null"
)

// jsonValue is a value in JSON. Unlike the maps of encoding/json it detects duplicate fields.
type jsonValue struct {
	kind   jsonKind
	text   string // of a string, a number, or true, false and <nil>
	names  []string
	values []jsonValue // of an object, beside its names, or of an array
}

// maxNesting is more than a trace needs.
const maxNesting = 10

// cutShort reports whether a file is the beginning of JSON, and not all of it.
func cutShort(data []byte) bool {
	var raw json.RawMessage
	err := json.NewDecoder(bytes.NewReader(data)).Decode(&raw)
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// parse parses a file. Its errors name the line.
func parse(data []byte) (jsonValue, error) {
	if !utf8.Valid(data) {
		return jsonValue{}, misfit("the file", "is not UTF-8")
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		place := "the file"
		if syntax, ok := err.(*json.SyntaxError); ok {
			place = lineAt(data, syntax.Offset)
		}
		if cutShort(data) {
			return jsonValue{}, misfit(place, "the file ends here and should go on: it is empty or was cut short")
		}
		return jsonValue{}, misfit(place, "is not JSON: "+err.Error())
	}
	p := jsonParser{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	v, err := p.value(0)
	if err != nil {
		return jsonValue{}, err
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return jsonValue{}, misfit(p.line(), "something follows the trace; a file holds one")
	}
	return v, nil
}

type jsonParser struct {
	data []byte
	dec  *json.Decoder
}

func (p *jsonParser) line() string { return lineAt(p.data, p.dec.InputOffset()) }

func lineAt(data []byte, offset int64) string {
	offset = min(max(offset, 0), int64(len(data)))
	return "line " + strconv.Itoa(1+bytes.Count(data[:offset], []byte("\n")))
}

func (p *jsonParser) value(depth int) (jsonValue, error) {
	if depth > maxNesting {
		return jsonValue{}, misfit(p.line(), "is nested too deep for a trace")
	}
	token, err := p.dec.Token()
	if err != nil {
		return jsonValue{}, misfit(p.line(), "is not JSON: "+err.Error())
	}
	switch token := token.(type) {
	case string:
		return jsonValue{kind: aString, text: token}, nil
	case json.Number:
		return jsonValue{kind: aNumber, text: token.String()}, nil
	case json.Delim:
		if token == '{' {
			return p.object(depth)
		}
		return p.array(depth)
	}
	return jsonValue{kind: another, text: fmt.Sprint(token)}, nil
}

func (p *jsonParser) object(depth int) (jsonValue, error) {
	v := jsonValue{kind: anObject}
	seen := map[string]bool{}
	for p.dec.More() {
		token, err := p.dec.Token()
		name, ok := token.(string)
		if err != nil || !ok {
			return v, misfit(p.line(), "is not JSON")
		}
		if seen[name] {
			return v, misfit(p.line(), fmt.Sprintf("the field %q is there twice; keep one", name))
		}
		seen[name] = true
		item, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.names, v.values = append(v.names, name), append(v.values, item)
	}
	_, err := p.dec.Token()
	return v, err
}

func (p *jsonParser) array(depth int) (jsonValue, error) {
	v := jsonValue{kind: anArray}
	for p.dec.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.values = append(v.values, item)
	}
	_, err := p.dec.Token()
	return v, err
}

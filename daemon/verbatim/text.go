package verbatim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is a text of any bytes.
type Text string

// List is a list of texts of any bytes.
type List []string

// The surrogates that stand for bytes that are no UTF-8: escapes + the byte.
const (
	escapes     = 0xdc00
	firstEscape = escapes + 0x80
	lastEscape  = escapes + 0xff
)

// MarshalJSON writes valid UTF-8 as encoding/json does, and escapes other bytes.
func (t Text) MarshalJSON() ([]byte, error) {
	var dst bytes.Buffer
	encoder := json.NewEncoder(&dst)
	encoder.SetEscapeHTML(false) // the encoder of the whole value chooses that
	dst.WriteByte('"')
	for rest := string(t); rest != ""; {
		valid := validPrefix(rest)
		if valid == 0 {
			fmt.Fprintf(&dst, `\u%04x`, escapes+int(rest[0]))
			rest = rest[1:]
			continue
		}
		at := dst.Len()
		if err := encoder.Encode(rest[:valid]); err != nil {
			return nil, err
		}
		// It is a separate string: its quotes and the line feed go.
		inner := dst.Bytes()[at+1 : dst.Len()-2]
		copy(dst.Bytes()[at:], inner)
		dst.Truncate(at + len(inner))
		rest = rest[valid:]
	}
	dst.WriteByte('"')
	return dst.Bytes(), nil
}

// validPrefix is how many bytes at the beginning of a text are UTF-8.
func validPrefix(text string) (n int) {
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (t *Text) UnmarshalJSON(src []byte) error {
	if string(src) == "null" { // as encoding/json has it
		return nil
	}
	if len(src) < 2 || src[0] != '"' {
		return fmt.Errorf("%.20s is no string", src)
	}
	src = src[1 : len(src)-1]
	dst := make([]byte, 0, len(src))
	for len(src) > 0 {
		if src[0] != '\\' {
			dst, src = append(dst, src[0]), src[1:]
			continue
		}
		var err error
		if dst, src, err = unescape(dst, src); err != nil {
			return err
		}
	}
	*t = Text(dst)
	return nil
}

// unescape appends what the escape at the beginning of a text stands for, and returns what follows.
func unescape(dst, src []byte) (appended, rest []byte, err error) {
	if len(src) < 2 {
		return nil, nil, fmt.Errorf("a string ends within an escape")
	}
	if at := bytes.IndexByte([]byte(`"\/bfnrt`), src[1]); at >= 0 {
		return append(dst, "\"\\/\b\f\n\r\t"[at]), src[2:], nil
	}
	first, err := unit(src)
	if err != nil {
		return nil, nil, err
	}
	src = src[6:]
	if !utf16.IsSurrogate(first) {
		return utf8.AppendRune(dst, first), src, nil
	}
	if second, err := unit(src); err == nil {
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return utf8.AppendRune(dst, r), src[6:], nil
		}
	}
	if first >= firstEscape && first <= lastEscape {
		return append(dst, byte(first-escapes)), src, nil
	}
	return utf8.AppendRune(dst, utf8.RuneError), src, nil
}

// unit reads \uXXXX at the beginning of a text.
func unit(src []byte) (rune, error) {
	if len(src) < 6 || src[0] != '\\' || src[1] != 'u' {
		return 0, fmt.Errorf("%.6q is no escape", src)
	}
	n, err := strconv.ParseUint(string(src[2:6]), 16, 16)
	return rune(n), err
}

// MarshalJSON writes a list of texts.
func (l List) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("null"), nil
	}
	dst := []byte{'['}
	for i, text := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		one, err := Text(text).MarshalJSON()
		if err != nil {
			return nil, err
		}
		dst = append(dst, one...)
	}
	return append(dst, ']'), nil
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (l *List) UnmarshalJSON(src []byte) error {
	var texts []Text
	if err := json.Unmarshal(src, &texts); err != nil {
		return err
	}
	*l = nil
	if texts != nil {
		*l = make(List, len(texts))
	}
	for i, text := range texts {
		(*l)[i] = string(text)
	}
	return nil
}

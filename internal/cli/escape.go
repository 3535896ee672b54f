package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes a text harmless for terminals, and one line: control characters, bytes that are not
// UTF-8, and characters that are invisible or turn the direction of writing are written as in Go:
// \x1b, \n, \u202e. Every other character stays.
func Escape(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, isHarmful) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case isHarmful(r):
			b.WriteString(escaped(r))
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// isHarmful reports whether a character must not reach a terminal in a text of one line.
func isHarmful(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// escaped is a character as Go writes it.
func escaped(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// harmlessLines escapes in a text of several lines all but the characters that shape it. Bytes that
// are not UTF-8 stay: they may be a part of a character, whose rest comes later.
func harmlessLines(text []byte) []byte {
	harmful := func(r rune) bool { return r != '\n' && r != '\t' && isHarmful(r) }
	if strings.IndexFunc(string(text), harmful) < 0 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if harmful(r) {
			b.WriteString(escaped(r))
		} else {
			b.Write(text[:size])
		}
		text = text[size:]
	}
	return []byte(b.String())
}

// harmless is an argument of a format whose text is escaped.
type harmless struct{ arg any }

// Format writes the argument. What %q and the like write is harmless already.
func (h harmless) Format(f fmt.State, verb rune) {
	arg := h.arg
	if err, is := arg.(error); is && (verb == 's' || verb == 'v') {
		arg = flat(err)
	}
	text := fmt.Sprintf(fmt.FormatString(f, verb), arg)
	fmt.Fprint(f, Escape(text))
}

// harmlessly is a text whose arguments are escaped.
func harmlessly(format string, args []any) string {
	safe := make([]any, len(args))
	for i, arg := range args {
		safe[i] = harmless{arg}
		if n, is := arg.(int); is {
			safe[i] = n // which may be a width
		}
	}
	return fmt.Sprintf(format, safe...)
}

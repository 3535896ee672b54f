package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// mistake is an error in the value of a key of a job file.
type mistake struct {
	key string
	error
}

// Unwrap returns the error.
func (m *mistake) Unwrap() error { return m.error }

// keyf is specf about a key.
func keyf(key, format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrSpec, &mistake{key, fmt.Errorf(format, args...)})
}

// placed names the line of a mistake in the text of a job file.
func placed(text string, err error) error {
	if m := (*mistake)(nil); errors.As(err, &m) {
		return specf("line %d: %w", lineOf(text, m.key), m.error)
	}
	return err
}

// wrongType matches the decoder's error about a value of another type.
var wrongType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^line (\d+) \(last key "([^"]*)"\): ` +
		`(?:incompatible types: TOML value has type \S+; destination has type (\w+)(?: \(string-like\))?` +
		`|type mismatch for \S+: expected (table) but found \S+)$`)
})

// lists are examples of the keys whose values are lists.
var lists = map[string]string{
	"command": `texts: ["sleep", "1"]`, "outputs": `texts: ["out/**"]`, "retries.codes": `numbers: [1, 75]`,
	"inputs": `tables: [ { from = "data.csv" } ]`,
}

// texts are the texts that say a time or a size, by their keys.
var texts = map[string]string{
	"timeout": `a time: "90s"`, "deadline": `a time: "2h"`, "kill.grace": `a time: "10s"`,
	"retries.backoff": `a pair of times: "10s..5m"`, "stdout-limit": `a size: "64MiB"`,
}

// wanted are the other types of values in plain words, by the names of the decoder.
var wanted = map[string]string{
	"string": "a text in quotes", "integer": "a whole number", "boolean": "true or false",
	"table": "a table, as in { name = value }", "map": "a table, as in { name = value }",
}

// undecoded says in plain words why a job file could not be decoded.
func undecoded(err error) error {
	if parse := (toml.ParseError{}); errors.As(err, &parse) {
		return specf("line %d: %s", parse.Position.Line, parse.Message)
	}
	text := strings.TrimPrefix(err.Error(), "toml: ")
	found := wrongType().FindStringSubmatch(text)
	if found == nil {
		return specf("%s", text)
	}
	want := cmp.Or(texts[found[2]], wanted[found[3]+found[4]])
	if example := lists[found[2]]; example != "" {
		want = "a list of " + example
	}
	if want == "" {
		return specf("%s", text)
	}
	return specf("line %s: %s must be %s", found[1], found[2], want)
}

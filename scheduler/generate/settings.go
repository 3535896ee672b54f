package generate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A setting of a generator is a number or one of some words.
type setting struct {
	name        string
	usual       string
	least, most float64
	whole       bool
	words       []string // of a setting that is no number
	later       bool     // not in names at its usual value: it came when workloads without it had names
}

// values has the given settings as numbers. A word is its index.
type values map[string]float64

// parseSettings reads "name=value,…" and returns the values and the text with all settings in the
// order of the table, which is the name of a workload.
func parseSettings(generator, text string, table []setting) (values, string, error) {
	given := map[string]string{}
	names := make([]string, len(table))
	for i, s := range table {
		names[i] = s.name
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		if part == "" && text == "" {
			continue
		}
		if !slices.Contains(names, name) {
			return nil, "", unknown("setting of "+generator, name, names)
		}
		if _, twice := given[name]; twice {
			return nil, "", &SettingError{generator, name, value, "each setting once"}
		}
		given[name] = value
	}
	all := values{}
	var canonical []string
	for _, s := range table {
		value, ok := given[s.name]
		if !ok {
			value = s.usual
		}
		number, shown, ok := s.parse(value)
		if !ok {
			return nil, "", &SettingError{generator, s.name, value, s.want()}
		}
		all[s.name] = number
		if !s.later || shown != s.usual {
			canonical = append(canonical, s.name+"="+shown)
		}
	}
	return all, generator + ":" + strings.Join(canonical, ","), nil
}

// parse returns the number of a value and its one canonical form.
func (s setting) parse(value string) (number float64, shown string, ok bool) {
	if s.words != nil {
		i := slices.Index(s.words, value)
		return float64(i), value, i >= 0
	}
	number, err := strconv.ParseFloat(value, 64)
	if err != nil || !(number >= s.least && number <= s.most) { // so written, a NaN is refused
		return 0, "", false
	}
	if s.whole && number != float64(int64(number)) {
		return 0, "", false
	}
	return number, plain(number), true
}

func (s setting) want() string {
	if s.words != nil {
		return strings.Join(s.words, " or ")
	}
	kind := "a number"
	if s.whole {
		kind = "a whole number"
	}
	return fmt.Sprintf("%s from %s to %s", kind, plain(s.least), plain(s.most))
}

// plain writes a number without an exponent.
func plain(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }

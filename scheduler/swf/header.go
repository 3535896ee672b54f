package swf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

// Header has the statements of the comments before the first job.
type Header struct {
	Version       string
	Computer      string
	Installation  string
	MaxJobs       int64 // jobs of the log; 0 if it does not say, and so for the next three
	MaxRecords    int64 // lines of the log; a cleaned log may keep the number of the full one
	MaxNodes      int64
	MaxProcs      int64
	UnixStartTime int64         // of time 0, in seconds since 1970; scheduler.Unknown if not stated
	Fields        []HeaderField // all of them in order; a key may come more than once
}

// HeaderField is a line "; Key: value". The lines that continue it are further lines of the value.
type HeaderField struct {
	Key, Value string
}

// Get returns the value of the first field with that key, or "".
func (h *Header) Get(key string) string {
	for _, f := range h.Fields {
		if strings.EqualFold(f.Key, key) {
			return f.Value
		}
	}
	return ""
}

// add adds a comment line, given without its semicolon and the space around it, and reports whether
// it begins a field.
func (h *Header) add(text string) bool {
	if text == "" {
		return false
	}
	if key, value, ok := keyed(text); ok {
		h.Fields = append(h.Fields, HeaderField{key, value})
		return true
	}
	if n := len(h.Fields); n > 0 {
		h.Fields[n-1].Value += "\n" + text
	}
	return false
}

// keyed splits "Key: value". Blanks before the colon do not count.
func keyed(text string) (key, value string, ok bool) {
	key, value, found := strings.Cut(text, ":")
	key = strings.TrimSpace(key)
	return key, strings.TrimSpace(value), found && isKey(key) && !strings.HasPrefix(value, "//")
}

// isKey tells keys from the text before a colon in the middle of a sentence.
func isKey(s string) bool {
	for i, c := range s {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// machineKeys are the keys of the size of the machine.
var machineKeys = []string{"MaxProcs", "MaxNodes"}

// isMachineKey reports whether a key is one of these, in any case of letters.
func isMachineKey(key string) bool {
	return slices.ContainsFunc(machineKeys, func(k string) bool { return strings.EqualFold(k, key) })
}

// unkeyed returns the key of the machine that a comment seems to state without a colon, as in
// "MaxProcs = 64" or "MaxProcs 64"; "" for other comments.
func unkeyed(text string) string {
	for _, key := range machineKeys {
		if len(text) <= len(key) || !strings.EqualFold(text[:len(key)], key) {
			continue
		}
		after := text[len(key):]
		value := strings.TrimLeft(after, " \t=")
		if value != after && value != "" && '0' <= value[0] && value[0] <= '9' {
			return key
		}
	}
	return ""
}

// spaced returns the key of the machine that a comment states with blanks or the like within, as in
// "Max Procs: 64" or "max_procs: 64", and how it is written; "" for other comments.
func spaced(text string) (written, key string) {
	written, value, _ := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	if value == "" || value[0] < '0' || value[0] > '9' {
		return "", ""
	}
	written = strings.TrimSpace(written)
	joined := strings.NewReplacer(" ", "", "\t", "", "_", "", "-", "").Replace(written)
	if joined != written && isMachineKey(joined) {
		for _, key := range machineKeys {
			if strings.EqualFold(key, joined) {
				return written, key
			}
		}
	}
	return "", ""
}

// headerWithout reports whether a line is a header field that lacks its semicolon, perhaps with
// another mark in its place.
func headerWithout(line []byte) (key string, ok bool) {
	text := strings.TrimLeftFunc(string(line), func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	})
	key, _, ok = keyed(text)
	return key, ok
}

// finish reads the numbers out of the fields, which stand in the lines with these numbers.
func (h *Header) finish(file string, lines []int) error {
	h.Version, h.Computer, h.Installation = h.Get("Version"), h.Get("Computer"), h.Get("Installation")
	h.UnixStartTime = scheduler.Unknown
	numbers := []struct {
		key    string
		number *int64
		most   int64
		units  []string
	}{
		{"MaxJobs", &h.MaxJobs, maxValue, []string{"jobs"}},
		{"MaxRecords", &h.MaxRecords, maxValue, []string{"records", "lines", "jobs"}},
		{"MaxNodes", &h.MaxNodes, maxSize, []string{"nodes"}},
		{"MaxProcs", &h.MaxProcs, maxSize, []string{"processors", "procs", "cpus", "cores"}},
		{"UnixStartTime", &h.UnixStartTime, maxValue, []string{"s", "sec", "seconds"}},
	}
	for _, n := range numbers {
		stated := false
		for i, f := range h.Fields {
			if !strings.EqualFold(f.Key, n.key) {
				continue
			}
			value, ok, known := headerNumber(f.Value, n.units)
			fault := &Error{File: file, Line: lines[i], Remedy: "correct the header"}
			switch {
			case !known:
				continue
			case !ok:
				fault.Text = fmt.Sprintf("the header states a %s of %q", n.key, clipped([]byte(f.Value)))
				fault.Expected = "a whole number such as 1024 or 1,024, or N/A"
				return fault
			case value > n.most:
				fault.Text = fmt.Sprintf("the header states a %s of %s", n.key, clipped([]byte(f.Value)))
				fault.Expected = fmt.Sprintf("at most %d", n.most)
				return fault
			case stated && value != *n.number:
				fault.Text = fmt.Sprintf("the header states a %s of %d and one of %d", n.key, *n.number, value)
				fault.Expected = "one"
				return fault
			}
			*n.number, stated = value, true
		}
	}
	return nil
}

// unstated are the ways in which headers say that a number is not known.
var unstated = []string{"", "-", "-1", "?", "n/a", "na", "none", "unknown"}

// headerNumber reads the number of values like "338 (batch partition; 512 total)", "3600 # old",
// "1,024" or "64 nodes". The lines that continue the field do not count. It is not known if the
// header says so, and not ok if any of the value is not understood.
func headerNumber(value string, units []string) (n int64, ok, known bool) {
	value, _, _ = strings.Cut(strings.TrimSpace(value), "\n")
	if at := strings.IndexAny(value, "(#;"); at >= 0 {
		value = value[:at]
	}
	words := strings.Fields(value)
	if slices.Contains(unstated, strings.ToLower(strings.Join(words, " "))) {
		return 0, true, false
	}
	if len(words) == 2 && isUnit(strings.ToLower(words[1]), units) {
		words = words[:1]
	}
	if len(words) != 1 {
		return 0, false, true
	}
	digits, grouped := words[0], strings.Split(words[0], ",")
	for i, group := range grouped {
		if len(grouped) > 1 && (len(group) > 3 || len(group) < 3 && i > 0 || group == "") {
			return 0, false, true
		}
	}
	n, ok = fixedPoint([]byte(strings.ReplaceAll(digits, ",", "")), 0)
	return n, ok, true
}

// isUnit reports whether a word is one of the units, perhaps in the singular.
func isUnit(word string, units []string) bool {
	return slices.ContainsFunc(units, func(u string) bool { return word == u || word+"s" == u })
}

// origin is the part of the header that a copy of the log keeps.
func (h *Header) origin() scheduler.Origin {
	o := scheduler.Origin{Logged: true, MaxNodes: h.MaxNodes}
	if at := h.UnixStartTime; at > 0 && at <= maxValue/scheduler.Second {
		o.UnixMicros = at * scheduler.Second
	}
	o.TimeZone, _, _ = strings.Cut(h.Get("TimeZoneString"), "\n")
	return o
}

// machine returns the fields with these keys that state the size of the machine.
func (h *Header) machine(keys ...string) []scheduler.Statement {
	var all []scheduler.Statement
	for _, key := range keys {
		at := slices.IndexFunc(h.Fields, func(f HeaderField) bool {
			_, _, known := headerNumber(f.Value, nil)
			return known && strings.EqualFold(f.Key, key)
		})
		if at < 0 {
			continue
		}
		text, _, _ := strings.Cut(h.Fields[at].Value, "\n")
		value := map[string]int64{"MaxProcs": h.MaxProcs, "MaxNodes": h.MaxNodes}[key]
		all = append(all, scheduler.Statement{Name: key, Text: text, Value: value})
	}
	return all
}

// processorsPerNode is MaxProcs over MaxNodes, if all nodes can be equal; 0 otherwise.
func (h *Header) processorsPerNode() int64 {
	if h.MaxNodes == 0 || h.MaxProcs%h.MaxNodes != 0 {
		return 0
	}
	return h.MaxProcs / h.MaxNodes
}

package swf

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

// Header is what the comments before the first job state.
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

// add adds a comment line, given without its semicolon.
func (h *Header) add(comment string) {
	text := strings.TrimSpace(comment)
	if text == "" {
		return
	}
	if key, value, ok := strings.Cut(text, ":"); ok && isKey(key) && !strings.HasPrefix(value, "//") {
		h.Fields = append(h.Fields, HeaderField{key, strings.TrimSpace(value)})
		return
	}
	if n := len(h.Fields); n > 0 {
		h.Fields[n-1].Value += "\n" + text
	}
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

// finish reads the numbers out of the fields.
func (h *Header) finish(file string) error {
	h.Version, h.Computer, h.Installation = h.Get("Version"), h.Get("Computer"), h.Get("Installation")
	h.UnixStartTime = scheduler.Unknown
	for _, f := range []struct {
		key    string
		number *int64
		most   int64
	}{
		{"MaxJobs", &h.MaxJobs, maxValue},
		{"MaxRecords", &h.MaxRecords, maxValue},
		{"MaxNodes", &h.MaxNodes, maxSize},
		{"MaxProcs", &h.MaxProcs, maxSize},
		{"UnixStartTime", &h.UnixStartTime, maxValue},
	} {
		digits := leadingDigits(h.Get(f.key))
		if digits == "" {
			continue // "N/A", or no such line
		}
		n, ok := fixedPoint([]byte(digits), 0)
		if !ok || n > f.most {
			return &Error{
				File: file, Text: fmt.Sprintf("the header states a %s of %s", f.key, clipped([]byte(digits))),
				Expected: fmt.Sprintf("at most %d", f.most), Remedy: "correct the header",
			}
		}
		*f.number = n
	}
	return nil
}

// leadingDigits is the number in values like "338 (batch partition; 512 total)".
func leadingDigits(s string) string {
	end := 0
	for end < len(s) && '0' <= s[end] && s[end] <= '9' {
		end++
	}
	return s[:end]
}

// processorsPerNode is MaxProcs over MaxNodes, if all nodes can be equal; 0 otherwise.
func (h *Header) processorsPerNode() int64 {
	if h.MaxNodes == 0 || h.MaxProcs%h.MaxNodes != 0 {
		return 0
	}
	return h.MaxProcs / h.MaxNodes
}

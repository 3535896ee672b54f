package swf

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
)

// The numbers of fields, minus one.
const (
	fieldNumber = iota
	fieldSubmit
	fieldWait
	fieldRun
	fieldAllocated
	fieldCPU
	fieldMemory
	fieldRequested
	fieldRequest
	fieldRequestedMemory
	fieldStatus
	fieldUser
	fieldGroup
	fieldExecutable
	fieldQueue
	fieldPartition
	fieldPreceding
	fieldThink
	fieldCount
)

const (
	maxValue = 1 << 60   // of any field; times in microseconds, so that sums of a few stay in range
	maxSize  = 1<<31 - 1 // processors of a job or a machine
)

// A kind of field defines its valid texts.
type kind int

const (
	whole   kind = iota // whole number, -1 or more
	size                // number of processors
	decimal             // with up to six decimals, in millionths: seconds become microseconds
	code                // any whole number: logs have exit codes of all kinds for a status
)

// fields are named in errors.
var fields = [fieldCount]struct {
	name string
	kind kind
}{
	fieldNumber:          {"job number", whole},
	fieldSubmit:          {"submit time", decimal},
	fieldWait:            {"wait time", decimal},
	fieldRun:             {"run time", decimal},
	fieldAllocated:       {"allocated processors", size},
	fieldCPU:             {"CPU time", decimal},
	fieldMemory:          {"used memory", decimal},
	fieldRequested:       {"requested processors", size},
	fieldRequest:         {"requested time", decimal},
	fieldRequestedMemory: {"requested memory", decimal},
	fieldStatus:          {"status", code},
	fieldUser:            {"user", whole},
	fieldGroup:           {"group", whole},
	fieldExecutable:      {"executable", whole},
	fieldQueue:           {"queue", whole},
	fieldPartition:       {"partition", whole},
	fieldPreceding:       {"preceding job", whole},
	fieldThink:           {"think time", decimal},
}

// record is a line of the log: whole numbers, and times in microseconds.
type record [fieldCount]int64

// parse reads a line. The error lacks file and line.
func (r *record) parse(line []byte) *Error {
	n := 0
	for i := 0; i < len(line); {
		if isSpace(line[i]) {
			i++
			continue
		}
		start := i
		for i < len(line) && !isSpace(line[i]) {
			i++
		}
		if n < fieldCount {
			value, expected := fields[n].kind.parse(line[start:i])
			if expected != "" {
				return &Error{
					Field: n + 1, Name: fields[n].name, Text: clipped(line[start:i]), Expected: expected, Remedy: remedySkip,
				}
			}
			r[n] = value
		}
		n++
	}
	if n != fieldCount {
		return &Error{Text: counted(n, "field"), Expected: fmt.Sprint(fieldCount), Remedy: remedySkip}
	}
	return nil
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// parse returns the value of a field, or a description of valid texts.
func (k kind) parse(text []byte) (value int64, expected string) {
	decimals, most, unit := 0, int64(maxValue), int64(1)
	what := "a whole number"
	switch k {
	case decimal:
		decimals, unit = 6, scheduler.Second
		what = "a number with at most 6 decimals"
	case size:
		most = maxSize
	}
	digits, negative := text, false
	if len(text) > 0 && text[0] == '-' {
		digits, negative = text[1:], true
	}
	value, ok := fixedPoint(digits, decimals)
	switch {
	case !ok:
		return 0, what
	case value > most:
		return 0, fmt.Sprintf("at most %d", most/unit)
	case !negative:
		return value, ""
	case k == code:
		return -value, ""
	case value == unit:
		return scheduler.Unknown, ""
	case value == 0:
		return 0, ""
	}
	return 0, "at least 0, or -1 for unknown"
}

// fixedPoint reads digits, and if decimals are allowed a point and that many digits more, as a
// multiple of 10^-decimals. It returns a value above maxValue for any that is too large.
func fixedPoint(text []byte, decimals int) (value int64, ok bool) {
	left, point := decimals, false
	for i, c := range text {
		switch {
		case c == '.' && !point && decimals > 0 && i > 0 && i+1 < len(text):
			point = true
			continue
		case c < '0' || c > '9' || point && left == 0:
			return 0, false
		}
		if point {
			left--
		}
		value = next(value, int64(c-'0'))
	}
	for range left {
		value = next(value, 0)
	}
	return value, len(text) > 0
}

// next appends a digit to a number. It stays above maxValue once it is there, so that the rest of
// the text can still be checked.
func next(value, digit int64) int64 {
	if value > maxValue/10 {
		return maxValue + 1
	}
	return value*10 + digit
}

// counted is "1 field", "2 fields".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

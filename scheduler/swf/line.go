package swf

import (
	"bytes"
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

// unused are the fields for which a job has no place.
var unused = [fieldCount]bool{
	fieldCPU: true, fieldMemory: true, fieldRequestedMemory: true, fieldPreceding: true, fieldThink: true,
}

// record is a line of the log: whole numbers, and times in microseconds.
type record [fieldCount]int64

// oddities are the changes by reading a line.
type oddities struct {
	odd     bool             // there is one
	rounded bool             // a time, to whole microseconds
	ignored [fieldCount]bool // fields whose text the format does not allow, and which are not used
}

// parse reads a line, and rounds times if asked to. The error lacks file and line.
func (r *record) parse(line []byte, round bool, o *oddities) (fault *Error) {
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
				if value, fault = o.settle(n, line[start:i], expected, round); fault != nil {
					return fault
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

// settle returns a value for a text that the kind of its field does not allow, or an error: fields
// that are not used are unknown, and times with many decimals are rounded if that is asked for or
// changes nothing.
func (o *oddities) settle(n int, text []byte, expected string, round bool) (int64, *Error) {
	fault := &Error{
		Field: n + 1, Name: fields[n].name, Text: clipped(text), Expected: expected, Remedy: remedySkip,
	}
	if unused[n] {
		o.odd, o.ignored[n] = true, true
		return scheduler.Unknown, nil
	}
	if fields[n].kind != decimal {
		return 0, fault
	}
	value, exact, ok := rounded(text)
	switch {
	case !ok:
		return 0, fault
	case !exact && !round:
		fault.Remedy = "--round rounds times to whole microseconds"
		return 0, fault
	case !exact:
		o.odd, o.rounded = true, true
	}
	return value, nil
}

// rounded reads a number of more than six decimals as the nearest whole number of millionths,
// halves up, and reports whether it is exactly that.
func rounded(text []byte) (value int64, exact, ok bool) {
	point := bytes.IndexByte(text, '.')
	if point < 0 || len(text)-point-1 <= 6 {
		return 0, false, false
	}
	value, ok = fixedPoint(text[:point+7], 6)
	rest := text[point+7:]
	for _, c := range rest {
		if c < '0' || c > '9' {
			return 0, false, false
		}
	}
	if rest[0] >= '5' {
		value++
	}
	return value, len(bytes.Trim(rest, "0")) == 0, ok && value <= maxValue
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

package report

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// Started is when a job starts in a schedule. A number that occurs again is another job.
type Started struct {
	Number, Micros int64
}

// Comparison counts the jobs that start alike in two schedules, and lists differences.
type Comparison struct {
	Equal      int          `json:"equal"`
	Different  int          `json:"different"`
	OnlyFirst  int          `json:"only_first"`
	OnlySecond int          `json:"only_second"`
	Share      float64      `json:"equal_share"`
	First      []Difference `json:"differences"` // the first ones by time
}

// Difference is a job that starts at different times in two schedules.
type Difference struct {
	Number      int64 `json:"number"`
	FirstMicros int64 `json:"first_micros"`
	OtherMicros int64 `json:"other_micros"`
}

// CompareStarts compares two schedules, and lists at most the given number of differences.
func CompareStarts(ours, theirs []Started, most int) Comparison {
	type occurrence struct {
		number int64
		nth    int
	}
	index := func(all []Started) map[occurrence]int64 {
		seen, m := map[int64]int{}, map[occurrence]int64{}
		for _, s := range all {
			m[occurrence{s.Number, seen[s.Number]}] = s.Micros
			seen[s.Number]++
		}
		return m
	}
	a, b := index(ours), index(theirs)
	c := Comparison{First: []Difference{}}
	for o, micros := range a {
		other, both := b[o]
		switch {
		case !both:
			c.OnlyFirst++
		case other == micros:
			c.Equal++
		default:
			c.Different++
			c.First = append(c.First, Difference{o.number, micros, other})
		}
	}
	c.OnlySecond = len(b) - c.Equal - c.Different
	slices.SortFunc(c.First, func(x, y Difference) int {
		d := min(x.FirstMicros, x.OtherMicros) - min(y.FirstMicros, y.OtherMicros)
		if d == 0 {
			d = x.Number - y.Number
		}
		return int(max(-1, min(1, d)))
	})
	c.First = c.First[:min(max(0, most), len(c.First))]
	if both := c.Equal + c.Different; both > 0 {
		c.Share = float64(c.Equal) / float64(both)
	}
	return c
}

// ReadStarts reads a schedule.
func ReadStarts(path string) ([]Started, error) {
	kind, _ := Ending(path)
	if kind == "csv" {
		return readCSV(path)
	}
	w, _, err := swf.ReadFile(path, swf.Verbatim())
	if err != nil {
		return nil, err
	}
	var all []Started
	for _, j := range w.Jobs {
		if j.WaitMicros != scheduler.Unknown {
			all = append(all, Started{j.Number, j.SubmitMicros + j.WaitMicros})
		}
	}
	return all, nil
}

func readCSV(path string) ([]Started, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, fmt.Errorf("read a schedule: %w", err)
	}
	defer f.Close()
	in := csv.NewReader(f)
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	name, start, read := slices.Index(head, "number"), slices.Index(head, "start_micros"), wholeMicros
	if start < 0 {
		start, read = slices.Index(head, "start_seconds"), decimalSeconds
	}
	if name < 0 || start < 0 {
		return nil, fmt.Errorf("%s: the first line must name the columns \"number\" and "+
			"\"start_micros\" or \"start_seconds\"",
			path)
	}
	var all []Started
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if row[start] == "" {
			continue
		}
		n, errN := wholeNumber("number", row[name], mostNumber)
		at, errAt := read(head[start], row[start])
		if err := cmp.Or(errN, errAt); err != nil {
			line, _ := in.FieldPos(start)
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		all = append(all, Started{n, at})
	}
}

// wholeMicros reads a column of microseconds.
func wholeMicros(column, text string) (int64, error) { return wholeNumber(column, text, mostNumber) }

// decimalSeconds reads a column of seconds, with up to six decimals, as microseconds.
func decimalSeconds(column, text string) (int64, error) {
	const decimals = 6
	whole, fraction, point := strings.Cut(text, ".")
	if point && (fraction == "" || len(fraction) > decimals || strings.Trim(fraction, "0123456789") != "") {
		return 0, fmt.Errorf("%s: %q is not a number of seconds with at most %d decimals; write one as in 10.5",
			column, text, decimals)
	}
	seconds, err := wholeNumber(column, whole, mostNumber/scheduler.Second)
	if err != nil || !point {
		return seconds * scheduler.Second, err
	}
	micros, err := strconv.ParseInt(fraction+strings.Repeat("0", decimals-len(fraction)), 10, 64)
	if strings.HasPrefix(whole, "-") {
		micros = -micros
	}
	return seconds*scheduler.Second + micros, err
}

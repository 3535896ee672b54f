package latency

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
)

// headers are the names of the columns that count, by format.
var headers = [][3]string{{"src", "dst", "avg_ms"}, {"cty1", "cty2", "rtt_avg"}}

// ReadPairs reads a table of pairs of sites.
func ReadPairs(r io.Reader) (*Matrix, error) {
	reader := csv.NewReader(r)
	reader.ReuseRecord = true
	header, err := reader.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: line 1: %w", ErrFormat, err)
	}
	columns, err := columnsOf(header)
	if err != nil {
		return nil, err
	}
	t := &pairs{number: map[string]int{}, micros: map[[2]int]int64{}}
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var parse *csv.ParseError
			if errors.As(err, &parse) {
				err = fmt.Errorf("%w: line %d: %w", ErrFormat, parse.Line, parse.Err)
			}
			return nil, err
		}
		line, _ := reader.FieldPos(0)
		if err := t.add(record[columns[0]], record[columns[1]], record[columns[2]]); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrFormat, line, err)
		}
	}
	return t.matrix()
}

// columnsOf finds the columns that count.
func columnsOf(header []string) (columns [3]int, err error) {
	for _, names := range headers {
		found := true
		for i, name := range names {
			columns[i] = slices.Index(header, name)
			found = found && columns[i] >= 0
		}
		if found {
			return columns, nil
		}
	}
	return columns, fmt.Errorf(
		"%w: line 1: the header has neither the columns %v nor %v",
		ErrFormat,
		headers[0],
		headers[1],
	)
}

// pairs is a table in the course of reading.
type pairs struct {
	names  []string
	number map[string]int // by name
	micros map[[2]int]int64
}

func (t *pairs) add(from, to, text string) error {
	micros, ok := millis(text)
	switch {
	case !ok || micros < 0:
		return fmt.Errorf("%.40q is no time in milliseconds, such as 1024.5", text)
	case from == "" || to == "":
		return errors.New("a site has no name")
	}
	pair := [2]int{t.site(from), t.site(to)}
	if len(t.names) > MaxSites {
		return fmt.Errorf("more than %d sites", MaxSites)
	}
	if _, twice := t.micros[pair]; twice {
		return fmt.Errorf("%.40s to %.40s is there twice", from, to)
	}
	t.micros[pair] = micros
	return nil
}

func (t *pairs) site(name string) int {
	if i, known := t.number[name]; known {
		return i
	}
	t.number[name] = len(t.names)
	t.names = append(t.names, name)
	return len(t.names) - 1
}

// either is the time in the given direction or, if that was not measured, in the other. If nothing
// else is known, a site is as near to itself as possible.
func (t *pairs) either(a, b int) (int64, bool) {
	if micros, ok := t.micros[[2]int{a, b}]; ok {
		return micros, true
	}
	if a == b {
		return 0, true
	}
	micros, ok := t.micros[[2]int{b, a}]
	return micros, ok
}

// matrix keeps the sites whose latencies are all known.
func (t *pairs) matrix() (*Matrix, error) {
	lacks := make([]int, len(t.names))
	for a := range t.names {
		for b := range t.names {
			if _, ok := t.either(a, b); !ok {
				lacks[a]++
			}
		}
	}
	m, complete := &Matrix{}, make([]bool, len(t.names))
	for i := range complete {
		complete[i] = true
	}
	for {
		worst := -1
		for i, n := range lacks {
			if complete[i] && n > 0 && (worst < 0 || n > lacks[worst]) {
				worst = i
			}
		}
		if worst < 0 {
			break
		}
		complete[worst] = false
		m.Dropped = append(m.Dropped, t.names[worst])
		for i := range lacks {
			if _, ok := t.either(i, worst); !ok {
				lacks[i]--
			}
		}
	}
	for i, name := range t.names {
		if complete[i] {
			m.Names = append(m.Names, name)
		}
	}
	if m.sites = len(m.Names); m.sites == 0 {
		return nil, fmt.Errorf("%w: there is no pair of sites", ErrFormat)
	}
	for _, from := range m.Names {
		for _, to := range m.Names {
			micros, _ := t.either(t.number[from], t.number[to])
			m.micros = append(m.micros, oneWay(micros))
		}
	}
	return m, nil
}

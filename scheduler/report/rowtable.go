package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// Ordered sorts rows by experiment, settings and seed. In a file they come in the order in which
// their runs ended, which chance decides.
func Ordered(rows []*lab.Row) []*lab.Row {
	return slices.SortedStableFunc(slices.Values(rows), func(a, b *lab.Row) int {
		return cmp.Or(cmp.Compare(a.Experiment, b.Experiment),
			cmp.Compare(a.Settings.String(), b.Settings.String()), cmp.Compare(a.Seed, b.Seed))
	})
}

// RowTable writes rows as a flat table of CSV, in the order of [Ordered]. A column is named by the
// fields of a row that lead to its value, with dots between them: "summary.mean_wait_seconds".
// Columns come in the order in which the rows have them, and the first, "run", numbers the rows
// from 1. A cell is empty where a row has no such value. Lists, and objects whose fields are texts
// for readers, are one cell of JSON.
func RowTable(w io.Writer, rows []*lab.Row) error {
	t := flatTable{at: map[string]int{}}
	for i, r := range Ordered(rows) {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		t.lines = append(t.lines, make([]string, len(t.columns)))
		t.set("run", strconv.Itoa(i+1))
		if err := t.flatten("", text); err != nil {
			return fmt.Errorf("write row %d: %w", i+1, err)
		}
	}
	out := csv.NewWriter(w)
	if len(t.columns) > 0 {
		if err := out.Write(t.columns); err != nil {
			return fmt.Errorf("write the rows: %w", err)
		}
	}
	for _, line := range t.lines { // the first ones may lack the columns of later ones
		if err := out.Write(append(line, make([]string, len(t.columns)-len(line))...)); err != nil {
			return fmt.Errorf("write the rows: %w", err)
		}
	}
	out.Flush()
	return out.Error()
}

// flatTable is a table whose columns are found on the way.
type flatTable struct {
	columns []string
	at      map[string]int
	lines   [][]string
}

// set sets a cell of the last line.
func (t *flatTable) set(column, value string) {
	line := &t.lines[len(t.lines)-1]
	i, known := t.at[column]
	if !known {
		i = len(t.columns)
		t.at[column] = i
		t.columns = append(t.columns, column)
		*line = append(*line, "")
	}
	(*line)[i] = value
}

// reasons is the object whose fields are reasons in words, as many as there are.
const reasons = "summary.excluded_jobs"

// class is the field that names a class of jobs.
const class = "class"

// flatten sets the cells of a value and of all below it.
func (t *flatTable) flatten(path string, value json.RawMessage) error {
	switch {
	case value[0] == '{' && path != reasons:
		return t.object(path, value)
	case value[0] == '[':
		return t.list(path, value)
	case value[0] == '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return err
		}
		t.set(path, text)
	case string(value) == "null":
		t.set(path, "")
	default:
		t.set(path, string(value))
	}
	return nil
}

// object flattens the fields of an object, in their order.
func (t *flatTable) object(path string, value json.RawMessage) error {
	in := json.NewDecoder(bytes.NewReader(value))
	if _, err := in.Token(); err != nil { // the brace
		return err
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return err
		}
		var field json.RawMessage
		if err := in.Decode(&field); err != nil {
			return err
		}
		if name == class {
			continue // its column would repeat the path
		}
		if err := t.flatten(below(path, name.(string)), field); err != nil {
			return err
		}
	}
	return nil
}

// list flattens a list of classes, each under its label; another list is one cell.
func (t *flatTable) list(path string, value json.RawMessage) error {
	var elements []json.RawMessage
	if err := json.Unmarshal(value, &elements); err != nil {
		return err
	}
	labels := make([]string, len(elements))
	for i, e := range elements {
		var of struct {
			Class string `json:"class"`
		}
		if err := json.Unmarshal(e, &of); err != nil || of.Class == "" {
			t.set(path, string(value))
			return nil
		}
		labels[i] = of.Class
	}
	for i, e := range elements {
		if err := t.flatten(below(path, labels[i]), e); err != nil {
			return err
		}
	}
	return nil
}

// below is the name of a field of an object.
func below(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

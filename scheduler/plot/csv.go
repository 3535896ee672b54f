package plot

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
)

// table is the data of a figure on its way into a CSV.
type table struct {
	buffer bytes.Buffer
	writer *csv.Writer
}

func newTable(columns ...string) *table {
	t := &table{}
	t.writer = csv.NewWriter(&t.buffer)
	t.row(columns)
	return t
}

// add writes a row of strings and numbers.
func (t *table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case string:
			row[i] = c
		case int:
			row[i] = strconv.Itoa(c)
		case float64:
			row[i] = exact(c)
		default:
			panic(fmt.Sprintf("plot: a table cell of type %T", c))
		}
	}
	t.row(row)
}

func (t *table) row(cells []string) {
	if err := t.writer.Write(cells); err != nil {
		panic(fmt.Sprintf("plot: write to memory: %v", err))
	}
}

func (t *table) bytes() []byte {
	t.writer.Flush()
	return t.buffer.Bytes()
}

// exact writes a number so that it reads back as the same; a number that is not there is empty.
func exact(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	if a := math.Abs(v); a != 0 && (a < 1e-5 || a >= 1e15) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

package jobs

import (
	"io"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

// Internals for the tests of this package.
var (
	LastLines  = lastLines
	Describe   = describe
	ParseSince = parseSince
)

// JobTable lists jobs as canvass status does.
func JobTable(all []*jobs.Record, now time.Time) *cli.Table {
	return tableOf(slices.SortedFunc(slices.Values(all), listOrder), now)
}

// JobList writes a list of jobs as canvass status does, and returns how many the limit leaves out.
func JobList(to io.Writer, all []*jobs.Record, limit int, now time.Time) (more int, err error) {
	all, more = (&filter{limit: limit}).listed(all)
	return more, cli.NewOutput(to).Table(tableOf(all, now))
}

// MostListed is the limit for people.
const MostListed = mostListed

// Lines prints the output of one rank of several.
type Lines struct {
	printer
	*stream
}

// NewLines prints the lines of a rank.
func NewLines(stdout, stderr io.Writer, rank int) Lines {
	p := newPrinter(stdout, stderr)
	p.lines = true
	return Lines{p, &stream{rank: rank, name: "stdout"}}
}

// Print takes what the rank has printed.
func (l Lines) Print(data []byte) error { return l.print(l.stream, data) }

// End ends the last line.
func (l Lines) End() error {
	if err := l.end(l.stream); err != nil {
		return err
	}
	return l.flush()
}

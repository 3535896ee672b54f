package experiment

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// Inputs lists the inputs of the cells of a size: the jobs and the clusters, or the latencies.
func (e *Experiment) Inputs(size string) []string {
	var all []string
	for _, c := range e.cells(size) {
		text := inputOf(c)
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// inputOf describes the input of a cell.
func inputOf(c lab.Cell) string {
	if _, latencies, found := strings.Cut(c.Get("predict"), " of "); found {
		return "latencies of " + latencies
	}
	text := c.Get("workload")
	if s := c.Get("select"); s != "" {
		text += " " + s
	}
	if p := c.Get("platform"); p != "" {
		text += " on " + p
	}
	if c.Get("pool") == "yes" {
		text += " as one cluster"
	}
	return text
}

// Statement is the text of a claim, with the value of its source.
type Statement struct {
	Claim     string `json:"claim"`
	Published string `json:"published"`
}

var ofInput = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` \(input [^)]*\)$`) })

// Statements lists the claims. A claim about several inputs is listed once.
func (e *Experiment) Statements() []Statement {
	var all []Statement
	for _, c := range e.Claims {
		s := Statement{ofInput().ReplaceAllString(c.Text, ""), c.Published.String()}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// Time is about how long one seed of a size takes on two cores: "40 s". It is "" if that was not
// measured.
func (e *Experiment) Time(size string) string {
	seconds := e.seconds[slices.Index(Sizes, size)]
	switch {
	case seconds == 0:
		return ""
	case seconds < 1:
		return "below 1 s"
	case seconds < 120:
		return fmt.Sprintf("%.0f s", seconds)
	}
	return fmt.Sprintf("%.0f min", seconds/60)
}

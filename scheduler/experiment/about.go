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
		s := Statement{ofInput().ReplaceAllString(c.Text, ""), c.Published}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// Time is about how long one seed of a size takes on two cores: "40 s". It is "" if that was not
// measured.
func (e *Experiment) Time(size string) string {
	seconds := secondsOf[e.Name][slices.Index(Sizes, size)]
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

// secondsOf is half of the processor time of one seed, by size: ci, desk, paper. It was measured
// for each experiment apart, reading of logs included. 0 stands for a size that was not measured.
var secondsOf = map[string][3]float64{
	"central/references": {1.3, 1.3, 1.3},
	"central/intense":    {0.08, 0.09, 0.08},
	"central/order":      {0.01, 0.06, 0.12},
	"theory/queues":      {0.96, 2, 10},
	"jackson/4.3":        {0.045, 5, 5},
	"jackson/4.3s":       {0.045, 5.5, 5.5},
	"jackson/4.4":        {0.05, 0.79, 0.8},
	"jackson/4.5":        {0.01, 0.15, 0.15},
	"jackson/4.6":        {0.12, 1.9, 5.6},
	"jackson/4.7":        {0.08, 1, 3.2},
	"jackson/4.8":        {0.33, 3.8, 13},
	"jackson/t4.1":       {0.29, 4.2, 9.6},
	"jackson/5pct":       {0.17, 1.7, 5.2},
	"jackson/30k":        {0.055, 19, 19},
	"x/sweep":            {0.3, 16, 0},
	"x/reach":            {0.2, 5.3, 13},
	"x/news":             {0.24, 2.7, 6.7},
	"x/variants":         {0.35, 3.4, 7.2},
	"x/latency":          {0.2, 1.2, 3.7},
	"x/hetero":           {0.2, 1.3, 1.3},
	"x/backfill":         {0.06, 0.5, 1.5},
	"x/churn":            {1.2, 12, 11},
	"x/fault":            {0.6, 2.1, 2},
	"x/scale":            {0.2, 32, 0},
	"jackson/t5.1":       {0.11, 0.28, 0.3},
	"jackson/t5.2":       {0.2, 0.4, 0.42},
	"jackson/t5.3":       {0.99, 3.5, 7.2},
	"jackson/t5.4":       {1.2, 2.2, 2.4},
	"jackson/t5.5":       {0.9, 3.8, 3.8},
	"jackson/t5.6":       {0.91, 3.8, 3.8},
	"jackson/t5.7":       {0.57, 6.6, 6.6},
	"jackson/128":        {0.97, 19, 25},
	"jackson/criteria":   {0.21, 3.2, 3.2},
}

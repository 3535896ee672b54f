package experiment

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// An input is a workload on the clusters of SHARCNET. The logs of SHARCNET itself, on which the
// dissertation ran, are not public.
type input struct {
	name     string // in claims
	workload string
	sel      string
	platform string
}

// The inputs that stand in for SHARCNET's jobs: the densest 30,000 parallel jobs of two logs,
// compressed to twelve hours, of which the first 1,000 are taken, as Jackson describes; and jobs
// drawn from the distributions that he shows.
var (
	inputT = input{"T", "swf:LLNL-Thunder-2007-1.1-cln.swf.gz", thunder, "sharcnet"}
	inputH = input{"H", "swf:HPC2N-2002-2.2-cln.swf.gz", "filter:parallel,window:densest:30000,compress:to=12h,head:1000",
		"sharcnet"}
	inputG = input{"G", "sharcnet-like:N=1000", "", "sharcnet"}
	// inputS is small: G on fewer nodes.
	inputS = input{"S", "sharcnet-like:N=250", "filter:size<=64", "uniform:2x256"}
)

// inputs lists the inputs of a size.
func inputs(size string) []input {
	switch size {
	case "ci":
		return []input{inputS}
	case "desk":
		return []input{inputT}
	}
	return []input{inputT, inputH, inputG}
}

// cell is a policy on an input, with settings as NAME=VALUE.
func (in input) cell(policy string, settings ...string) lab.Cell {
	return lab.MustCell("workload="+in.workload, "select="+in.sel, "platform="+in.platform, "policy="+policy,
		"estimate=exact").With(settings...)
}

// of returns the rows of the input.
func (in input) of(rows []*lab.Row) []*lab.Row {
	return with(rows, "workload="+in.workload, "platform="+in.platform)
}

// about makes claims about the rows of the input only.
func (in input) about(claims ...Claim) []Claim {
	for i := range claims {
		claims[i].Text += " (input " + in.name + ")"
		claims[i].of = in.of
	}
	return claims
}

// only leaves out the jobs that are larger than the clusters.
func (in input) only(size int) input {
	in.sel = strings.TrimPrefix(fmt.Sprintf("%s,filter:size<=%d", in.sel, size), ",")
	return in
}

// claims makes each claim for each input.
func claims(make func(in input) []Claim) []Claim {
	var all []Claim
	for _, in := range []input{inputT, inputH, inputG, inputS} {
		all = append(all, in.about(make(in)...)...)
	}
	return all
}

// slowdown is the mean slowdown, as Jackson defines it.
func slowdown(r *lab.Row) float64 { return r.Summary.JacksonSlowdown.Mean }

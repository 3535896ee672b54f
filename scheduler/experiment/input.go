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

// drawnPeriod ends the selection of a log as Jackson describes his jobs: "took a 1000-job period of
// intense activity, and time compressed the submission window" (section 4.3.2), to 643 seconds
// (section 4.3). He had one such period. Each seed draws its own: otherwise all seeds would have
// the same jobs, and intervals would say nothing about other jobs.
const drawnPeriod = "window:drawn:1000,compress:to=643s"

// The inputs that stand in for SHARCNET's jobs: periods of the densest 30,000 parallel jobs of two
// logs, and jobs drawn from the distributions that Jackson shows.
var (
	inputT = input{"T", thunder, thunderDensest + "," + drawnPeriod, "sharcnet"}
	inputH = input{"H", "swf:HPC2N-2002-2.2-cln.swf.gz", hpc2nDensest + "," + drawnPeriod, "sharcnet"}
	inputG = input{"G", "sharcnet-like:N=1000", "", "sharcnet"}
	// inputS is small: G on fewer nodes.
	inputS = input{"S", "sharcnet-like:N=250", "filter:size<=64", "uniform:2x256"}
)

const (
	thunder        = "swf:LLNL-Thunder-2007-1.1-cln.swf.gz"
	thunderDensest = "filter:parallel,fold:2,window:densest:30000"
	hpc2nDensest   = "filter:parallel,window:densest:30000"
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

// cell is a policy on an input, with settings as NAME=VALUE. The recorded schedule is one run: it
// fits the machine at the recorded times only, so its jobs are not shaken.
func (in input) cell(policy string, settings ...string) lab.Cell {
	sel := in.sel
	if policy == "actual" {
		sel = strings.TrimSuffix(sel, shaken)
	}
	return lab.MustCell("workload="+in.workload, "select="+sel, "platform="+in.platform, "policy="+policy,
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

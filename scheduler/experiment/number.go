package experiment

import (
	"fmt"
	"math"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// seeded are the predictions of one seed, by method.
type seeded []*lab.Row

// of returns the prediction of a method, with its rounds if it has any, of an input whose name
// begins so. Of several inputs it is the one with the most hosts; nil if there is none.
func (s seeded) of(method, input string) *lab.Prediction {
	var found *lab.Prediction
	for _, r := range s {
		how, what, _ := strings.Cut(r.Settings.Get("predict"), " of ")
		if r.Prediction != nil && how == method && (what == input || strings.HasPrefix(what, input+":")) &&
			(found == nil || r.Prediction.Hosts > found.Hosts) {
			found = r.Prediction
		}
	}
	return found
}

// exactly returns the prediction of a method for one input.
func (s seeded) exactly(method, input string) *lab.Prediction {
	if some := with(s, "predict="+method+" of "+input); len(some) > 0 {
		return some[0].Prediction
	}
	return nil
}

// Numbers of a prediction.
func p50(p *lab.Prediction) float64 { return p.Errors.P50 }

func p95(p *lab.Prediction) float64 { return p.Errors.P95 }

func p99(p *lab.Prediction) float64 { return p.Errors.P99 }

func largest(p *lab.Prediction) float64 { return p.Errors.Max }

// simply is a number of one prediction.
func simply(method, input string, number func(*lab.Prediction) float64) func(seeded) (float64, bool) {
	return func(s seeded) (float64, bool) {
		p := s.of(method, input)
		if p == nil {
			return 0, false
		}
		return number(p), true
	}
}

// whole is a number of a prediction of the grid at measured sites: published ones are about these.
func whole(method string, number func(*lab.Prediction) float64) func(seeded) (float64, bool) {
	return func(s seeded) (float64, bool) {
		p := s.exactly(method, sharcnetName)
		if p == nil {
			return 0, false
		}
		return number(p), true
	}
}

// quotient is a number of one prediction divided by that of another.
func quotient(a, b, input string, number func(*lab.Prediction) float64) func(seeded) (float64, bool) {
	return func(s seeded) (float64, bool) {
		p, q := s.of(a, input), s.of(b, input)
		if p == nil || q == nil || number(q) == 0 {
			return 0, false
		}
		return number(p) / number(q), true
	}
}

// greatest is the greatest of several numbers that are all there.
func greatest(all ...func(seeded) (float64, bool)) func(seeded) (float64, bool) {
	return func(s seeded) (float64, bool) {
		worst := math.Inf(-1)
		for _, number := range all {
			v, ok := number(s)
			if !ok {
				return 0, false
			}
			worst = max(worst, v)
		}
		return worst, len(all) > 0
	}
}

// spread is how far the numbers of later rounds are from that of the first, relative to it. Rounds
// that were not run are left out.
func spread(input string, number func(*lab.Prediction) float64, rounds []int) func(seeded) (float64, bool) {
	return func(s seeded) (float64, bool) {
		first := s.of(vivaldi(rounds[0]), input)
		worst, found := 0.0, false
		for _, n := range rounds[1:] {
			if p := s.of(vivaldi(n), input); first != nil && p != nil {
				worst, found = max(worst, math.Abs(number(p)/max(number(first), 1e-9)-1)), true
			}
		}
		return worst, found
	}
}

func vivaldi(rounds int) string { return fmt.Sprintf("vivaldi:%d", rounds) }

// doubled lists rounds, each twice the one before, while they are at most last.
func doubled(first, last int) (all []int) {
	for n := first; n <= last; n *= 2 {
		all = append(all, n)
	}
	return all
}

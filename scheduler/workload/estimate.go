package workload

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

// Estimate sets EstimateMicros of all jobs in a copy of a workload, the run times that a policy may
// count on:
//
//	requested  what the user asked for. It is an error if no job has it; a job without it counts on
//	           its run time, and is noted.
//	exact      the run time
//	factor:F   uniform from 1 to F times the run time, drawn from the seed; F is at least 1
//
// An error is an [Error]. Estimates from a user's former jobs (user2) are made by the policy easy++
// while it runs.
func Estimate(w *scheduler.Workload, kind string, seed uint64) (*scheduler.Workload, error) {
	s := state{Workload: clone(w), seed: seed}
	fault := s.estimate(kind)
	if fault != nil {
		fault.Task, fault.Step, fault.Jobs = "estimate", kind, len(w.Jobs)
		return nil, fault
	}
	return s.Workload, nil
}

// CanEstimate reports why [Estimate] would refuse a workload as a whole, or nil.
func CanEstimate(w *scheduler.Workload, kind string) error {
	if kind == "requested" && len(w.Jobs) > 0 &&
		!slices.ContainsFunc(w.Jobs, func(j scheduler.Job) bool { return j.RequestMicros >= 0 }) {
		_, err := Estimate(w, kind, 0)
		return err
	}
	return nil
}

// CheckEstimate refuses a kind that is neither user2 nor one that [Estimate] takes, with an
// [Error].
func CheckEstimate(kind string) error {
	if _, fault := parseEstimate(kind); fault != nil {
		fault.Task, fault.Step = "estimate", kind
		return fault
	}
	return nil
}

// parseEstimate reads the factor of a kind that has one, and refuses unknown kinds.
func parseEstimate(kind string) (f factor, fault *Error) {
	text, isFactor := strings.CutPrefix(kind, "factor:")
	kinds := []string{"requested", "exact", "user2"}
	switch {
	case isFactor:
		f, ok := parseFactor(text)
		if !ok || !f.atLeast1() {
			return f, wrong("write factor:F", "%q is not %s, and at least 1", text, factorForm)
		}
		return f, nil
	case slices.Contains(kinds, kind):
		return f, nil
	}
	return f, wrong(near(kind, append(kinds, "factor:F")...)+"use requested, exact, factor:F or user2",
		"there is no such estimate")
}

func (s *state) estimate(kind string) *Error {
	f, fault := parseEstimate(kind)
	switch {
	case fault != nil:
		return fault
	case kind == "exact":
		s.each(func(j *scheduler.Job) { j.EstimateMicros = j.RunMicros })
		return nil
	case kind == "requested":
		return s.estimateRequested()
	case kind == "user2":
		return wrong("use policy easy++, or requested, exact or factor:F", "it is made by the policy while it runs")
	}
	return s.estimateUpTo(f)
}

func (s *state) estimateRequested() *Error {
	unknown := 0
	s.each(func(j *scheduler.Job) {
		j.EstimateMicros = j.RequestMicros
		if j.RequestMicros < 0 {
			j.EstimateMicros = j.RunMicros
			unknown++
		}
	})
	if unknown == len(s.Jobs) && unknown > 0 {
		return wrong("use exact, factor:F or user2", "none of %s in %s has a requested time",
			counted(len(s.Jobs), "job"), s.Name)
	}
	s.Note("estimated exactly, since no time was requested", unknown)
	return nil
}

func (s *state) estimateUpTo(f factor) *Error {
	random := scheduler.Stream(s.seed, "estimate factor")
	for i := range s.Jobs {
		j := &s.Jobs[i]
		most, _, ok := multiplyDivide(j.RunMicros, f.num, f.den)
		if !ok {
			return s.tooLate(j, "estimate")
		}
		j.EstimateMicros = j.RunMicros + random.Int64N(most-j.RunMicros+1)
	}
	return nil
}

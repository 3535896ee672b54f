package workload

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

func parseWindow(argument string) (application, *Error) {
	kind, size, _ := strings.Cut(argument, ":")
	switch kind {
	case "densest":
		return parseDensest(size)
	case "busiest":
		length, ok := parseDuration(size)
		if !ok {
			return nil, wrong("", "%q is not %s", size, durationForm)
		}
		return func(s *state) *Error { return s.busiest(length) }, nil
	case "drawn":
		n, ok := parseCount(size)
		if !ok {
			return nil, wrong("", "%q is not a number of jobs from 1 on", size)
		}
		return func(s *state) *Error { return s.drawn(n) }, nil
	}
	return nil, wrong(near(kind, "densest", "busiest", "drawn"), "there is no window %q", kind)
}

func parseDensest(argument string) (application, *Error) {
	size, only, limited := strings.Cut(argument, ":")
	n, ok := parseCount(size)
	switch {
	case !ok:
		return nil, wrong("", "%q is not a number of jobs from 1 on", size)
	case limited && only != "parallel":
		return nil, wrong(near(only, "parallel"), "there are no jobs %q", only)
	}
	return func(s *state) *Error {
		if limited {
			s.keep(isParallel)
		}
		return s.densest(n)
	}, nil
}

// densest keeps the n consecutive jobs whose submissions span the shortest time; the first such n.
func (s *state) densest(n int) *Error {
	if fault := s.needs(n); fault != nil {
		return fault
	}
	best := 0
	span := func(first int) int64 { return s.Jobs[first+n-1].SubmitMicros - s.Jobs[first].SubmitMicros }
	for first := range len(s.Jobs) - n + 1 {
		if span(first) < span(best) {
			best = first
		}
	}
	s.cut(best, best+n)
	s.restart()
	return nil
}

// busiest keeps the jobs of the window of a length with the most submissions, the first such
// window. It begins with a submission, and a submission at its end is outside.
func (s *state) busiest(length int64) *Error {
	if s.SpanMicros() < length {
		s.Note("kept by "+s.step+", which is longer than the log", len(s.Jobs))
	}
	best, bestEnd, end := 0, 0, 0
	for first := range s.Jobs {
		for end < len(s.Jobs) && s.Jobs[end].SubmitMicros-s.Jobs[first].SubmitMicros < length {
			end++
		}
		if end-first > bestEnd-best {
			best, bestEnd = first, end
		}
	}
	s.cut(best, bestEnd)
	s.restart()
	return nil
}

// drawn keeps n consecutive jobs. Each window of that many is as likely as another.
func (s *state) drawn(n int) *Error {
	if fault := s.needs(n); fault != nil {
		return fault
	}
	s.draws++
	first := scheduler.Stream(s.seed, fmt.Sprintf("window %d", s.draws)).IntN(len(s.Jobs) - n + 1)
	s.cut(first, first+n)
	s.restart()
	return nil
}

// restart begins a new clock at the first submission.
func (s *state) restart() {
	if len(s.Jobs) == 0 || s.Jobs[0].SubmitMicros == 0 {
		return
	}
	first := s.Jobs[0].SubmitMicros
	s.Note("moved by "+s.step+" to a clock that begins with the window", len(s.Jobs))
	s.each(func(j *scheduler.Job) { j.SubmitMicros -= first })
	if s.Origin.UnixMicros > 0 {
		s.Origin.UnixMicros += first
	}
}

func (s *state) each(change func(*scheduler.Job)) {
	for i := range s.Jobs {
		change(&s.Jobs[i])
	}
}

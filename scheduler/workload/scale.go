package workload

import (
	"math/big"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

func parseCompress(argument string) (application, *Error) {
	key, value, fault := setting(argument, "to", "by")
	if fault != nil {
		return nil, fault
	}
	if key == "to" {
		span, ok := parseDuration(value)
		if !ok {
			return nil, wrong("", "%q is not %s", value, durationForm)
		}
		return func(s *state) *Error { return s.spanTo(span) }, nil
	}
	f, ok := parseFactor(value)
	if !ok {
		return nil, wrong("", "%q is not %s", value, factorForm)
	}
	return func(s *state) *Error { return s.scaleSubmissions(f.den, f.num) }, nil
}

// spanTo scales the times between submissions so that all of them span that long.
func (s *state) spanTo(micros int64) *Error {
	span := s.SpanMicros()
	if span == 0 {
		return wrong("leave this step out", "%s, all submitted at once, have no span to scale", counted(len(s.Jobs), "job"))
	}
	return s.scaleSubmissions(micros, span)
}

// scaleSubmissions multiplies the times from the first submission by num over den.
func (s *state) scaleSubmissions(num, den int64) *Error {
	first := s.Jobs[0].SubmitMicros
	for i := range s.Jobs {
		j := &s.Jobs[i]
		after, ok := scaled(j.SubmitMicros-first, num, den)
		if !ok || first+after > maxMicros {
			return s.tooLate(j, "submission")
		}
		j.SubmitMicros = first + after
	}
	s.Note("submission rescaled by "+s.step, len(s.Jobs))
	return nil
}

func (s *state) tooLate(j *scheduler.Job, what string) *Error {
	return wrong("use a factor nearer to 1, or a shorter time", "the %s of job number %d would be beyond 2^60 µs",
		what, j.Number)
}

func parseLoad(argument string) (application, *Error) {
	_, value, fault := setting(argument, "to")
	if fault != nil {
		return nil, fault
	}
	f, ok := parseFactor(value)
	if !ok {
		return nil, wrong("", "%q is not %s", value, factorForm)
	}
	return func(s *state) *Error { return s.loadTo(f) }, nil
}

// loadTo scales the times between submissions so that the offered load is that much: the span
// becomes area over (nodes times load), to the nearest microsecond.
func (s *state) loadTo(load factor) *Error {
	if s.nodes <= 0 {
		return wrong("name the platform", "a load needs the number of nodes, and it is not known")
	}
	num := area(s.Jobs)
	if num.Sign() == 0 {
		return wrong("leave this step out", "%s without run time have no load", counted(len(s.Jobs), "job"))
	}
	num.Mul(num, big.NewInt(load.den))
	den := new(big.Int).Mul(big.NewInt(int64(s.nodes)), big.NewInt(load.num))
	// Rounded to the nearest, halves up: (2 num + den) / (2 den).
	span := new(big.Int).Lsh(num, 1)
	span.Add(span, den).Quo(span, den.Lsh(den, 1))
	if span.Sign() == 0 || span.Cmp(big.NewInt(maxMicros)) > 0 {
		return wrong("choose another load", "the submissions would span %v µs, which is not from 1 to 2^60", span)
	}
	return s.spanTo(span.Int64())
}

// area is the sum of size times run time, in node-microseconds.
func area(jobs []scheduler.Job) *big.Int {
	sum, nodes, run := new(big.Int), new(big.Int), new(big.Int)
	for i := range jobs {
		nodes.SetInt64(int64(jobs[i].Nodes))
		run.SetInt64(jobs[i].RunMicros)
		sum.Add(sum, nodes.Mul(nodes, run))
	}
	return sum
}

func parseRuns(argument string) (application, *Error) {
	_, value, fault := setting(argument, "by")
	if fault != nil {
		return nil, fault
	}
	f, ok := parseFactor(value)
	if !ok {
		return nil, wrong("", "%q is not %s", value, factorForm)
	}
	return func(s *state) *Error { return s.scaleRuns(f) }, nil
}

// scaleRuns scales run times, and with them what was requested and estimated, so that their ratios
// stay. A time above 0 stays above 0.
func (s *state) scaleRuns(f factor) *Error {
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for _, micros := range []*int64{&j.RunMicros, &j.RequestMicros, &j.EstimateMicros} {
			if *micros <= 0 {
				continue
			}
			longer, ok := scaled(*micros, f.num, f.den)
			if !ok {
				return s.tooLate(j, "run time")
			}
			*micros = max(1, longer)
		}
	}
	s.Note("run time scaled by "+s.step, len(s.Jobs))
	return nil
}

func parseFold(argument string) (application, *Error) {
	value := argument
	if strings.Contains(argument, "=") {
		var fault *Error
		if _, value, fault = setting(argument, "by"); fault != nil {
			return nil, fault
		}
	}
	f, ok := parseFactor(value)
	if !ok || !f.atLeast1() {
		return nil, wrong("", "%q is not %s, and at least 1", value, factorForm)
	}
	return func(s *state) *Error {
		s.fold(f)
		return nil
	}, nil
}

// fold divides sizes, rounding up.
func (s *state) fold(f factor) {
	s.each(func(j *scheduler.Job) {
		size, rest, ok := multiplyDivide(int64(j.Nodes), f.den, f.num)
		if !ok {
			panic("workload: a size became larger by a factor of at least 1")
		}
		if rest > 0 {
			size++
		}
		j.Nodes = int(size)
	})
	s.Note("size folded by "+s.step, len(s.Jobs))
}

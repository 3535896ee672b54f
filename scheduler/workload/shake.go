package workload

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
)

func parseShake(argument string) (application, *Error) {
	most, ok := parseDuration(argument)
	if !ok {
		return nil, wrong("", "%q is not %s", argument, durationForm)
	}
	return func(s *state) *Error { return s.shake(most) }, nil
}

// shake moves each submission by a whole number of microseconds, uniform from -most to most. The
// clock has no time before 0, so what would be there is reflected: that moves it no further, and
// jobs do not gather at 0.
func (s *state) shake(most int64) *Error {
	s.shakes++
	random := scheduler.Stream(s.seed, fmt.Sprintf("shake %d", s.shakes))
	for i := range s.Jobs {
		j := &s.Jobs[i]
		moved := j.SubmitMicros + random.Int64N(2*most+1) - most
		if moved < 0 {
			moved = -moved
		}
		if moved > maxMicros {
			return s.tooLate(j, "submission")
		}
		j.SubmitMicros = moved
	}
	s.Sort()
	s.Note("submission moved by "+s.step, len(s.Jobs))
	return nil
}

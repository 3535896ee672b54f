package dtm

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// step takes one step of B in the chain A, B, C, and lets a test damage it.
func step(prepare func(*dtm.State), in dtm.Input, damage func(*transition)) []string {
	cfg := (&scenario{}).config()
	before := parse("A B:A@0/8 C:B@4/2").member(1, 3)
	prepare(&before)
	after, out := dtm.Step(&cfg, before, in)
	taken := &transition{cfg: &cfg, in: &in, before: &before, after: &after, out: &out}
	damage(taken)
	var names []string
	for _, e := range contract.Check(rules, taken) {
		names = append(names, rules[e.Number].Name)
	}
	return names
}

func deliver(from byte, m dtm.Message) dtm.Input {
	return dtm.Input{Kind: protocol.Deliver, From: id(from), Message: m}
}

// Each rule holds for the unchanged step, and reports the error in a damaged one.
func TestRules(t *testing.T) {
	asWas := func(*dtm.State) {}
	leave := dtm.Input{Kind: protocol.Command, Command: dtm.Command{Kind: dtm.CommandLeave}}
	locked := func(s *dtm.State) { s.Lock = dtm.Lock{Holder: id('A'), Round: 2} }
	asking := func(s *dtm.State) {
		s.Departure = dtm.Departure{Stage: dtm.Asking, Round: 1, Waiting: ids("AC")}
	}
	for _, test := range []struct {
		rule    string
		prepare func(*dtm.State)
		in      dtm.Input
		damage  func(*transition)
	}{
		{"TimersKept", asWas, deliver('A', dtm.Beat{}), func(s *transition) { s.out.Set = nil }},
		{"TimersKept", asWas, deliver('A', dtm.Beat{}), func(s *transition) { s.out.Set[0].MaxTicks++ }},
		{"ListsKept", asking, deliver('A', dtm.Beat{}), func(s *transition) {
			s.after.Departure.Waiting = ids("CA")
		}},
		{"IgnoresTrue", asWas, deliver('A', dtm.Object{}), func(s *transition) { s.out.Measure = ids("C") }},
		{"IgnoresTrue", asWas, deliver('A', dtm.Object{}), func(s *transition) { s.after.Heard++ }},
		{"VersionsKept", asWas, deliver('A', dtm.Beat{}), func(s *transition) { s.after.Version++ }},
		{"VersionsKept", asWas, deliver('D', dtm.Attach{Version: 1, At: 2, Length: 2}), func(s *transition) {
			s.after.Version--
		}},
		{"VersionsKept", asWas, deliver('D', dtm.Attach{Version: 1, At: 2, Length: 2}), func(s *transition) {
			s.out.Send = s.out.Send[:1]
		}},
		{"Answers", asWas, deliver('D', dtm.Look{}), func(s *transition) { s.out.Send = nil }},
		{"Answers", asWas, deliver('D', dtm.Attach{Version: 3}), func(s *transition) { s.out.Send = nil }},
		{"Answers", asWas, deliver('C', dtm.Leaving{Round: 1}), func(s *transition) { s.out.Send = nil }},
		{"Answers", locked, deliver('C', dtm.Leaving{Round: 1}), func(s *transition) {
			s.out.Send[0].Message = dtm.Consent{Round: 1}
		}},
		{"Answers", asWas, deliver('C', dtm.Left{Round: 1}), func(s *transition) { s.out.Send = nil }},
		{"Answers", asWas, deliver('C', dtm.Consent{Round: 1}), func(s *transition) { s.out.Send = nil }},
		{"ConsentsKept", locked, deliver('A', dtm.Beat{}), func(s *transition) { s.after.Lock = dtm.Lock{} }},
		{"ConsentsKept", asWas, leave, func(s *transition) { s.after.Lock = dtm.Lock{Holder: id('A')} }},
		{"ConsentsKept", asking, deliver('A', dtm.Beat{}), func(s *transition) { s.after.Departure.Waiting = ids("C") }},
		{"ConsentsKept", asking, deliver('A', dtm.Consent{Round: 1}), func(s *transition) {
			s.after.Departure.Waiting = nil
		}},
	} {
		assert.Empty(t, step(test.prepare, test.in, func(*transition) {}), test.rule)
		assert.Contains(t, step(test.prepare, test.in, test.damage), test.rule)
	}
}

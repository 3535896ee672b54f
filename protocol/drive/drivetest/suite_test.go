package drivetest_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
)

// tally is a node that counts the messages of each other node, and answers each.
type tally struct {
	ID     protocol.NodeID
	Counts []uint32 // by address
	Silent bool
}

type message struct {
	Answer bool
	Count  uint32
}

// mute is the command to answer no more.
type mute struct{}

// counter is the core of tallies, but for one flaw.
type counter struct {
	flaw string
	told *int // how often the flaw could show
}

type input = protocol.Input[message, mute]

func (c *counter) Step(s tally, in input) (tally, protocol.Output[message]) {
	var e protocol.Effects[message]
	if c.flaw != "shares a list" {
		s.Counts = slices.Clone(s.Counts)
	}
	at := int(in.From.Address)
	switch {
	case in.Kind == protocol.Command:
		s.Silent = true
		e.Event("muted", s.ID, 0, "")
	case in.Kind == protocol.Deliver && !in.Message.Answer && at < len(s.Counts):
		s.Counts[at]++
		if !s.Silent {
			e.Send(s.ID, in.From, message{Answer: true, Count: s.Counts[at]})
			e.Out.Set = []protocol.SetTimer{{Timer: protocol.Timer{Kind: 1, Peer: in.From}, MinTicks: 1, MaxTicks: 2}}
		}
		c.spoil(s, in, &e)
	default:
		e.Ignore(in.From, "nothing to count")
	}
	return s, e.Out
}

// spoil adds a flaw to the output.
func (c *counter) spoil(s tally, in input, e *protocol.Effects[message]) {
	*c.told++
	switch c.flaw {
	case "depends on the past":
		e.Event("muted", s.ID, uint32(*c.told), "")
	case "panics":
		panic("counter: no room")
	case "has an event that is not listed":
		e.Event("counted", in.From, 0, "")
	case "sends in two names":
		e.Send(in.From, s.ID, message{})
		e.Send(s.ID, in.From, message{})
	case "sets a timer that ends before it begins":
		e.Out.Set = []protocol.SetTimer{{Timer: protocol.Timer{Kind: 1}, MinTicks: 2, MaxTicks: 1}}
	case "has one text for two timers":
		e.Out.Set = []protocol.SetTimer{{Timer: protocol.Timer{Kind: 2}}, {Timer: protocol.Timer{Kind: 3}}}
	}
}

func (c *counter) AppendState(dst []byte, s tally) []byte {
	dst = protocol.AppendUint(protocol.AppendNodeID(dst, s.ID), uint64(len(s.Counts)))
	for _, n := range s.Counts {
		dst = protocol.AppendUint(dst, uint64(n))
	}
	if c.flaw == "forgets a field" {
		s.Silent = false
	}
	return protocol.AppendBool(dst, s.Silent)
}

func (c *counter) DecodeState(src []byte) (tally, error) {
	r := protocol.NewReader(src)
	s := tally{ID: r.NodeID(), Counts: protocol.List(r, func() uint32 { return uint32(r.Uint(1<<32 - 1)) })}
	s.Silent = r.Bool()
	if c.flaw == "takes more bytes" {
		r.Bytes(r.Left())
	}
	return s, r.Close()
}

func (c *counter) AppendMessage(dst []byte, m message) []byte {
	return protocol.AppendUint(protocol.AppendBool(dst, m.Answer), uint64(m.Count))
}

func (c *counter) DecodeMessage(src []byte) (message, error) {
	r := protocol.NewReader(src)
	if c.flaw == "takes two encodings of one value" {
		return message{r.Bytes(1) != nil && src[0] != 0, uint32(r.Uint(1<<32 - 1))}, r.Close()
	}
	return message{r.Bool(), uint32(r.Uint(1<<32 - 1))}, r.Close()
}

func (c *counter) AppendCommand(dst []byte, _ mute) []byte { return append(dst, 1) }

func (c *counter) DecodeCommand(src []byte) (mute, error) {
	r := protocol.NewReader(src)
	if r.Uint(1) != 1 {
		r.Fail()
	}
	return mute{}, r.Close()
}

func (c *counter) StateText(s tally) string {
	if c.flaw == "has one text for two states" {
		s.Silent = false
	}
	return fmt.Sprintf("%v counts %v silent %v", s.ID, s.Counts, s.Silent)
}

func (c *counter) MessageText(m message) string {
	return fmt.Sprintf("%v %d", map[bool]string{false: "Count", true: "Answer"}[m.Answer], m.Count)
}
func (c *counter) CommandText(mute) string           { return "mute" }
func (c *counter) EventNames() []string              { return []string{"muted", protocol.EventIgnore} }
func (c *counter) TimerText(t protocol.Timer) string { return fmt.Sprint("patience with ", t.Peer) }
func (c *counter) suite() drivetest.Suite[tally, message, mute] {
	return drivetest.Suite[tally, message, mute]{
		Draw: func(t *rapid.T) drivetest.Draw[tally, message, mute] {
			number := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "number") }
			d := drivetest.Draw[tally, message, mute]{
				Core: c,
				State: func() tally {
					s := tally{Silent: number(2) == 0}
					s.ID = protocol.NodeID{Address: protocol.Address(number(3)), Incarnation: 1}
					for range number(4) {
						s.Counts = append(s.Counts, uint32(number(300)))
					}
					return s
				},
				Message: func() message { return message{number(2) == 0, uint32(number(300))} },
				Command: func() mute { return mute{} },
			}
			if c.flaw == "has a kind that is not drawn" {
				d.Message = func() message { return message{false, uint32(number(300))} }
			}
			d.Input = func(tally) input {
				if number(6) == 0 {
					return input{Kind: protocol.Command}
				}
				from := protocol.NodeID{Address: protocol.Address(number(4))}
				return input{Kind: protocol.Deliver, From: from, Message: d.Message()}
			}
			return d
		},
		Wipe:     func(s tally) { drivetest.Wipe(s.Counts) },
		Messages: 2, Commands: 1,
	}
}

// TestSuite runs the suite on a core that has the flaw in the environment, or none.
func TestSuite(t *testing.T) { (&counter{os.Getenv(flawVariable), new(int)}).suite().Test(t) }

const flawVariable = "CANVASS_TEST_FLAW"

// Each way in which a core can break the contract fails the suite.
func TestSuiteNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("each flaw needs its own process")
	}
	for flaw, message := range map[string]string{
		"forgets a field":                         "Silent: (bool)",
		"takes more bytes":                        "a decoder reads all",
		"takes two encodings of one value":        "a_decoded_value_is_canonical",
		"has one text for two states":             "the texts",
		"has a kind that is not drawn":            "the kinds that were drawn",
		"shares a list":                           "TestSuite/step",
		"depends on the past":                     "equal inputs, different outputs",
		"panics":                                  "counter: no room",
		"has an event that is not listed":         "EventNames lacks it",
		"sends in two names":                      "a step sends in the name of one node",
		"sets a timer that ends before it begins": "a timer ends before it begins",
		"has one text for two timers":             "two timers have one text",
	} {
		again := exec.Command(os.Args[0], "-test.run=^TestSuite$", "-rapid.nofailfile", "-rapid.seed=1")
		again.Env = append(os.Environ(), flawVariable+"="+flaw)
		out, err := again.CombinedOutput()
		require.Error(t, err, "a core that %s passes", flaw)
		assert.Contains(t, string(out), message, flaw)
	}
}

package drivetest

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
)

// Script is the interpreter of one script file. A protocol adds its own commands to Commands, one
// of which makes the network.
type Script[S, M, C any] struct {
	T        require.TestingT
	Net      *Network[S, M, C]
	Commands map[string]func(args []string)
	Default  func(words []string) // for a line that begins with no command; may be nil
	Shown    map[string]bool      // the verbs of the log that are part of the output

	out   strings.Builder
	draws []uint32
	aside map[string]protocol.Envelope[M]
}

// RunScripts runs the files testdata/*.txt, each as a separate test. Prepare adds the commands of
// the protocol.
func RunScripts[S, M, C any](t *testing.T, prepare func(*Script[S, M, C])) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			s := NewScript[S, M, C]()
			prepare(s)
			datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
				s.T = t
				require.Empty(t, d.Input, "%s: a command is one line, and ---- follows it", d.Pos)
				return s.Run(d.FullCmd())
			})
		})
	}
}

// NewScript returns an interpreter with the commands that all protocols have.
func NewScript[S, M, C any]() *Script[S, M, C] {
	s := &Script[S, M, C]{aside: map[string]protocol.Envelope[M]{}}
	s.Shown = map[string]bool{"deliver": true, "lost": true, "measured": true, "send": true, "event": true}
	s.Commands = map[string]func(args []string){
		"deliver":  s.deliver,
		"repeat":   func(args []string) { s.Net.Duplicate(s.Envelope(args)) },
		"lose":     func(args []string) { s.Net.Lose(s.Envelope(args)) },
		"copy":     func(args []string) { s.aside[args[0]] = s.Net.InFlight[s.Envelope(args[1:])] },
		"late":     s.late,
		"timeout":  s.timeout,
		"measured": s.measured,
		"draw":     func(args []string) { s.draws = append(s.draws, uint32(s.Number(args[0]))) },
		"crash":    func(args []string) { s.Net.Crash(s.Process(args[0])) },
		"restart":  func(args []string) { s.Net.Start(s.Process(args[0])) },
		"state":    func(args []string) { s.Say(s.Net.Core.StateText(s.Process(args[0]).State())) },
		"inflight": s.inflight,
	}
	return s
}

// Use makes a network the script's: its events become output, and its questions are answered with
// the numbers of the command draw.
func (s *Script[S, M, C]) Use(net *Network[S, M, C]) {
	s.Net = net
	net.Choose = s.choose
	net.Log = func(e Entry) {
		if s.Shown[e.Verb] {
			s.Say(e.String())
		}
	}
}

// Run runs a line of commands, and returns the output.
func (s *Script[S, M, C]) Run(line string) string {
	s.out.Reset()
	name := ""
	for command := range strings.SplitSeq(line, ", ") {
		words := strings.Fields(command)
		switch run := s.Commands[words[0]]; {
		case run != nil:
			name = words[0]
			run(words[1:])
		case s.Default != nil:
			s.Default(words)
		case name != "": // "crash A, B": the same command again
			s.Commands[name](words)
		default:
			require.Fail(s.T, "no such command", "%s", command)
		}
		if s.Net != nil && s.Net.Broken != nil {
			s.Say("VIOLATED " + s.Net.Broken.Error())
			s.Net.Broken = nil
		}
	}
	return s.out.String()
}

// Say writes a line of output.
func (s *Script[S, M, C]) Say(line string) { s.out.WriteString(line + "\n") }

// Process reads the name of a node and returns the process at its address.
func (s *Script[S, M, C]) Process(name string) *Process[S, M, C] { return s.Net.At(s.ID(name)) }

// Life reads the identity of any node, as String writes it: A, C.2
func (s *Script[S, M, C]) Life(name string) protocol.NodeID {
	id, err := protocol.ParseNodeID(name)
	require.NoError(s.T, err)
	return id
}

// ID reads the identity of a node of the network.
func (s *Script[S, M, C]) ID(name string) protocol.NodeID {
	id := s.Life(name)
	require.Less(s.T, int(id.Address), len(s.Net.Nodes), "there is no node %s", name)
	return id
}

// Number reads a number.
func (s *Script[S, M, C]) Number(word string) int {
	n, err := strconv.Atoi(word)
	require.NoError(s.T, err)
	return n
}

// Envelope finds a message in flight: "B<-A", perhaps the first word of its text, and perhaps
// "last", for the last such message instead of the first.
func (s *Script[S, M, C]) Envelope(args []string) int {
	to, from, _ := strings.Cut(args[0], "<-")
	found := -1
	for i, e := range s.Net.InFlight {
		kind, _, _ := strings.Cut(s.Net.Core.MessageText(e.Message), " ")
		if e.To != s.ID(to) || e.From != s.ID(from) || len(args) > 1 && kind != args[1] {
			continue
		}
		if found = i; len(args) < 3 {
			break
		}
	}
	require.GreaterOrEqual(s.T, found, 0, "no such message: %v", args)
	return found
}

func (s *Script[S, M, C]) deliver(args []string) {
	if args[0] == "all" {
		s.Net.Drain()
		return
	}
	s.Net.Deliver(s.Envelope(args))
}

func (s *Script[S, M, C]) late(args []string) {
	e, ok := s.aside[args[0]]
	require.True(s.T, ok, "no copy has the name %s", args[0])
	s.Net.Hand(e)
}

func (s *Script[S, M, C]) timeout(args []string) {
	p, name := s.Process(args[0]), strings.Join(args[1:], " ")
	for _, t := range p.Pending() {
		if s.Net.Core.TimerText(t) == name {
			s.Net.Fire(p, t)
			return
		}
	}
	require.Fail(s.T, "no such timer is pending", "%s at %s", name, args[0])
}

func (s *Script[S, M, C]) measured(args []string) {
	p, peer := s.Process(args[0]), s.ID(args[1])
	require.Contains(s.T, p.Measuring(), peer, "%s does not measure %s", args[0], args[1])
	s.Net.Measure(p, peer)
}

func (s *Script[S, M, C]) inflight([]string) {
	for _, e := range s.Net.InFlight {
		s.Say(e.To.String() + "<-" + e.From.String() + " " + s.Net.Core.MessageText(e.Message))
	}
}

func (s *Script[S, M, C]) choose(n uint32) uint32 {
	require.NotEmpty(s.T, s.draws, "nothing to draw: use the command draw")
	v := s.draws[0]
	s.draws = s.draws[1:]
	require.Less(s.T, v, n)
	return v
}

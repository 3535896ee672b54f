package refine_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

var rewrite = flag.Bool(
	"rewrite",
	false,
	"write what happens into the scripts; read the differences before you keep them",
)

// TestScripts plays the files testdata/*.txt, one behaviour a file. A line is a command, or several
// with commas between them, and the indented lines after it say what happens; lines that begin with
// # and empty lines are for the reader.
//
//	grid 3 M 2 N 3 [greedy]  so many nodes, started; the bounds; the criterion: first, global, greedy
//	far B C                  these two are far from each other from now on; near B C: no longer
//	A add B C, A drop B, A measure, A leave
//	deliver B<-A [List]      the oldest message from A to B [of this type]; with "last" after it, the latest
//	deliver all              everything and all measurements, and what follows, oldest first
//	repeat B<-A [List]       a copy of that message; lose B<-A [List] makes it vanish
//	measured B C             B's measurement of C ends
//	timeout B wait           a timer fires: collect, wait, measure, keep, retry, missed A
//	crash C, restart C
//	settle                   a fair driver until all is at rest, and what ought to be true then
//	state A, clusters        show a node; show what every node advertises
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			played := play(t, string(text))
			if *rewrite {
				require.NoError(t, os.WriteFile(file, []byte(played), 0o644))
				return
			}
			require.Equal(
				t,
				string(text),
				played,
				"if this is as it should be: go test ./protocol/refine -run TestScripts -rewrite",
			)
		})
	}
}

// script is a world with its own language.
type script struct {
	t   *testing.T
	w   *world
	out strings.Builder
}

// play plays a script and returns it with what happened.
func play(t *testing.T, text string) string {
	s := &script{t: t}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("so far:\n" + s.out.String())
		}
	})
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "  ") {
			continue
		}
		s.out.WriteString(line + "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		for command := range strings.SplitSeq(line, ", ") {
			s.command(strings.Fields(command))
			if s.w.checkAlways(); s.w.broken != nil {
				s.say("VIOLATED " + s.w.broken.Error())
				s.w.broken = nil
			}
		}
	}
	return s.out.String()
}

func (s *script) command(words []string) {
	switch args := words[1:]; words[0] {
	case "grid":
		s.grid(args)
	case "far", "near":
		a, b := s.id(args[0]).Address, s.id(args[1]).Address
		s.w.far[[2]protocol.Address{min(a, b), max(a, b)}] = words[0] == "far"
		s.w.drift = s.w.drift || s.w.events[refine.EventMeasured] > 0
	case "deliver":
		if args[0] == "all" {
			s.w.drain()
		} else {
			s.w.deliver(s.envelope(args))
		}
	case "repeat":
		s.w.hand(s.w.net[s.envelope(args)])
	case "lose":
		i := s.envelope(args)
		s.w.net = slices.Delete(s.w.net, i, i+1)
	case "measured":
		p := s.process(args[0])
		i := slices.Index(p.measuring, s.id(args[1]))
		require.GreaterOrEqual(s.t, i, 0, "%s does not measure %s", args[0], args[1])
		s.w.measure(p, i)
	case "timeout":
		s.timeout(args)
	case "crash":
		s.w.crash(s.process(args[0]))
	case "restart":
		s.w.start(s.process(args[0]))
	case "settle":
		s.settle()
	case "state":
		s.say(refine.StateText(s.process(args[0]).state))
	case "clusters":
		s.clusters()
	default:
		s.order(words)
	}
}

func (s *script) grid(args []string) {
	number := func(i int) int {
		n, err := strconv.Atoi(args[i])
		require.NoError(s.t, err)
		return n
	}
	cfg := refine.DefaultConfig(number(2), number(4), diameter)
	criteria := map[string]refine.Criterion{
		"first":  refine.FirstCome,
		"global": refine.GlobalOrder,
		"greedy": refine.Greedy,
	}
	cfg.Criterion = refine.FirstCome
	if len(args) > 5 {
		cfg.Criterion = criteria[args[5]]
	}
	require.NoError(s.t, cfg.Validate())
	s.w = newWorld(&cfg, number(0))
	for _, p := range s.w.nodes {
		s.w.start(p)
	}
	s.w.log = func(line string) {
		for _, told := range []string{"  ", "deliver", "lost", "measured"} {
			if strings.HasPrefix(line, told) {
				s.say(line)
			}
		}
	}
}

func (s *script) order(words []string) {
	kinds := map[string]refine.CommandKind{
		"add":     refine.CommandAdd,
		"drop":    refine.CommandDrop,
		"measure": refine.CommandMeasure,
		"leave":   refine.CommandLeave,
	}
	require.Contains(s.t, kinds, words[1], "no such command")
	o := refine.Command{Kind: kinds[words[1]]}
	for _, name := range words[2:] {
		o.Nodes = append(o.Nodes, s.id(name))
	}
	s.w.order(s.process(words[0]), o)
}

func (s *script) settle() {
	log := s.w.log
	s.w.log = nil
	if !s.w.settle() {
		s.w.violated("the world does not come to rest")
	}
	s.w.checkAtRest()
	s.w.log = log
}

func (s *script) clusters() {
	for _, p := range s.w.live() {
		line := p.state.ID.String() + ": none"
		if c, ok := p.state.Advertised(); ok {
			line = p.state.ID.String() + ": of " + c.Head.String() + " " + strconv.Itoa(int(c.Round))
			for _, id := range c.Members {
				line += " " + id.String()
			}
		}
		s.say(line)
	}
}

// say writes a line of what happens.
func (s *script) say(line string) { s.out.WriteString("  " + line + "\n") }

func (s *script) process(name string) *process { return s.w.at(s.id(name)) }

// id reads an identity as String writes it: A, C.2
func (s *script) id(name string) protocol.NodeID {
	letter, life, later := strings.Cut(name, ".")
	id := protocol.NodeID{Address: protocol.Address(letter[0] - 'A'), Incarnation: 1}
	if later {
		n, err := strconv.Atoi(life)
		require.NoError(s.t, err)
		id.Incarnation = uint16(n)
	}
	require.Less(s.t, int(id.Address), len(s.w.nodes), "there is no node %s", name)
	return id
}

// envelope finds a message: "B<-A", perhaps the name of its type, and perhaps "last".
func (s *script) envelope(args []string) int {
	to, from, _ := strings.Cut(args[0], "<-")
	found := -1
	for i, e := range s.w.net {
		text := strings.Fields(refine.MessageText(e.Message))
		if e.To != s.id(to) || e.From != s.id(from) || len(args) > 1 && text[0] != args[1] {
			continue
		}
		if found = i; len(args) < 3 {
			break
		}
	}
	require.GreaterOrEqual(s.t, found, 0, "no such message: %v", args)
	return found
}

func (s *script) timeout(args []string) {
	p := s.process(args[0])
	name := strings.Join(args[1:], " ")
	for _, t := range p.timers {
		if refine.TimerText(t) == name {
			s.w.fire(p, t)
			return
		}
	}
	require.Fail(s.t, "no such timer is pending", "%s at %s", name, args[0])
}

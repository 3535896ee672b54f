package can_test

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
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

var rewrite = flag.Bool(
	"rewrite",
	false,
	"write what happens into the scripts; read the differences before you keep them",
)

// TestScripts plays the files testdata/*.txt, one behaviour a file. A line is a command, and the
// indented lines after it say what happens; lines that begin with # and empty lines are for the
// reader.
//
//	space 16 [virtual]      the sizes of the dimensions
//	node A 2                a process at this coordinate, started
//	network A 2, B 6        nodes that join one after the other, until all is at rest
//	create A, join B via A, leave B
//	deliver B<-A [Propose]  the oldest message from A to B [of this type]
//	deliver all             everything, and what follows from it, oldest first
//	repeat B<-A [Propose]   a copy of that message; lose B<-A [Propose] makes it vanish
//	timeout B propose       a timer fires: retry, propose, resend, update, missed A
//	crash C, restart C
//	draw 5                  the answer to the next draw
//	settle                  a fair driver until all is at rest, and what ought to be true then
//	state A, map, inflight  show a node, who owns what, and the messages on their way
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
				"if this is as it should be: go test ./protocol/can -run TestScripts -rewrite",
			)
		})
	}
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
		switch {
		case strings.HasPrefix(line, "  "):
			continue
		case line == "" || strings.HasPrefix(line, "#"):
			s.out.WriteString(line + "\n")
			continue
		}
		s.out.WriteString(line + "\n")
		name := ""
		for command := range strings.SplitSeq(line, ", ") {
			words := strings.Fields(command)
			if commands[words[0]] == nil { // "network A 2, B 6": the same again
				words = append([]string{name}, words...)
			}
			name = words[0]
			s.command(name, words[1:])
		}
	}
	return s.out.String()
}

// script is a world with its own language.
type script struct {
	t     *testing.T
	w     *world
	out   strings.Builder
	draws []uint32
}

// commands by name. The arguments do not hold the name.
var commands = map[string]func(s *script, args []string){
	"space": func(s *script, args []string) { s.makeSpace(args) },
	"node":  func(s *script, args []string) { s.w.start(s.node(args)) },
	"network": func(s *script, args []string) {
		p := s.node(args)
		o := can.Command{Kind: can.CommandJoin, Contact: nodeA}
		if p.address == 0 {
			o = can.Command{Kind: can.CommandCreate}
		}
		s.quietly(func() {
			s.w.start(p)
			s.w.order(p, o)
			require.True(s.t, s.w.settle())
		})
	},
	"create": func(s *script, args []string) { s.w.order(s.process(args[0]), can.Command{Kind: can.CommandCreate}) },
	"join": func(s *script, args []string) {
		s.w.order(s.process(args[0]), can.Command{Kind: can.CommandJoin, Contact: s.id(args[2])})
	},
	"leave": func(s *script, args []string) { s.w.order(s.process(args[0]), can.Command{Kind: can.CommandLeave}) },
	"deliver": func(s *script, args []string) {
		if args[0] == "all" {
			s.w.drain()
			return
		}
		s.w.deliver(s.envelope(args))
	},
	"repeat": func(s *script, args []string) { s.w.hand(s.w.net[s.envelope(args)]) },
	"lose": func(s *script, args []string) {
		i := s.envelope(args)
		s.w.net = slices.Delete(s.w.net, i, i+1)
	},
	"timeout": func(s *script, args []string) { s.timeout(args) },
	"crash":   func(s *script, args []string) { s.w.crash(s.process(args[0])) },
	"restart": func(s *script, args []string) { s.w.start(s.process(args[0])) },
	"draw":    func(s *script, args []string) { s.draws = append(s.draws, uint32(s.number(args[0]))) },
	"settle": func(s *script, _ []string) {
		s.quietly(func() {
			if !s.w.settle() {
				s.w.violated("the world does not come to rest")
			}
			s.w.checkAtRest()
		})
	},
	"state": func(s *script, args []string) { s.say(can.StateText(s.w.cfg, s.process(args[0]).state)) },
	"map": func(s *script, _ []string) {
		for _, p := range s.w.members() {
			s.say(strings.TrimSuffix(describe(s.w.cfg, []can.Record{p.state.Self})[1:], "}"))
		}
	},
	"inflight": func(s *script, _ []string) {
		for _, e := range s.w.net {
			s.say(e.To.String() + "<-" + e.From.String() + " " + can.MessageText(s.w.cfg, e.Message))
		}
	},
}

func (s *script) command(name string, args []string) {
	require.Contains(s.t, commands, name)
	commands[name](s, args)
	if s.w != nil {
		s.w.checkAlways()
		if s.w.broken != nil {
			s.say("VIOLATED " + s.w.broken.Error())
			s.w.broken = nil
		}
	}
}

// say writes a line of what happens.
func (s *script) say(line string) { s.out.WriteString("  " + line + "\n") }

// overhear takes over what the driver notes, unless the command says the same.
func (s *script) overhear(line string) {
	if strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "deliver") || strings.HasPrefix(line, "lost") {
		s.say(line)
	}
}

func (s *script) quietly(run func()) {
	log := s.w.log
	s.w.log = nil
	run()
	s.w.log = log
}

func (s *script) makeSpace(args []string) {
	var sizes []int32
	virtual := args[len(args)-1] == "virtual"
	if virtual {
		args = args[:len(args)-1]
	}
	for _, size := range args {
		sizes = append(sizes, int32(s.number(size)))
	}
	sp, err := space.New(virtual, sizes...)
	require.NoError(s.t, err)
	cfg := can.DefaultConfig(sp)
	s.w = newWorld(&cfg)
	s.w.log, s.w.terse = s.overhear, true
	s.w.choose = func(n uint32) uint32 {
		require.NotEmpty(s.t, s.draws, "nothing to draw: use the command draw")
		v := s.draws[0]
		s.draws = s.draws[1:]
		require.Less(s.t, v, n)
		return v
	}
}

func (s *script) number(word string) int {
	n, err := strconv.Atoi(word)
	require.NoError(s.t, err)
	return n
}

// node adds a process: a name, which must be the next letter, and a coordinate.
func (s *script) node(args []string) *process {
	p := &process{address: protocol.Address(len(s.w.nodes))}
	require.Equal(
		s.t,
		protocol.NodeID{Address: p.address, Incarnation: 1}.String(),
		args[0],
		"nodes are named in the order of the alphabet",
	)
	for k, word := range args[1:] {
		p.coord[k] = int32(s.number(word))
	}
	s.w.nodes = append(s.w.nodes, p)
	return p
}

func (s *script) process(name string) *process { return s.w.at(s.id(name)) }

// id reads an identity as String writes it: A, C.2
func (s *script) id(name string) protocol.NodeID {
	letter, life, later := strings.Cut(name, ".")
	id := protocol.NodeID{Address: protocol.Address(letter[0] - 'A'), Incarnation: 1}
	if later {
		id.Incarnation = uint16(s.number(life))
	}
	require.Less(s.t, int(id.Address), len(s.w.nodes), "there is no node %s", name)
	return id
}

// envelope finds a message: "B<-A" and perhaps the name of its type.
func (s *script) envelope(args []string) int {
	to, from, _ := strings.Cut(args[0], "<-")
	for i, e := range s.w.net {
		text := strings.Fields(can.MessageText(s.w.cfg, e.Message))
		if e.To == s.id(to) && e.From == s.id(from) && (len(args) == 1 || text[0] == args[1]) {
			return i
		}
	}
	require.Fail(s.t, "no such message", "%v", args)
	return 0
}

func (s *script) timeout(args []string) {
	p := s.process(args[0])
	name := strings.Join(args[1:], " ")
	for _, t := range p.timers {
		if can.TimerText(t) == name {
			s.w.fire(p, t)
			return
		}
	}
	require.Fail(s.t, "no such timer is pending", "%s at %s", name, args[0])
}

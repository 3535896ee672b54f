package store_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
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
//	space 16                the sizes of the dimensions
//	network A 2, B 10       nodes that join one after the other, until all is at rest
//	join C 5 via A          a node from outside asks to be let in
//	leave B
//	put A 5 7               a client at A puts 7 at the key 5; get A 5, cas A 5 7 8, lookup A 5 likewise
//	deliver B<-A [Request]  the oldest message from A to B [of this type]
//	deliver all             everything, and what follows from it, oldest first
//	repeat B<-A [Request]   a copy of that message; lose B<-A [Request] makes it vanish
//	copy x A<-B [Request]   put a copy of that message aside under a name; late x hands it over
//	timeout B gone A        a timer fires
//	crash C, restart C
//	settle                  a fair driver until all is at rest
//	state A, inflight       show a node, and the messages on their way
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
				"if this is as it should be: go test ./protocol/store -run TestScripts -rewrite",
			)
		})
	}
}

// play plays a script and returns it with what happened.
func play(t *testing.T, text string) string {
	s := &script{t: t, aside: map[string]store.Envelope{}}
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
		name := ""
		for command := range strings.SplitSeq(line, ", ") {
			words := strings.Fields(command)
			if commands[words[0]] == nil { // "network A 2, B 6": the same again
				words = append([]string{name}, words...)
			}
			name = words[0]
			require.Contains(t, commands, name)
			commands[name](s, words[1:])
		}
	}
	return s.out.String()
}

// script is a world with its own language.
type script struct {
	t   *testing.T
	w   *world
	out strings.Builder
	id  uint32 // of the latest operation

	aside map[string]store.Envelope
}

// commands by name. The arguments do not hold the name.
var commands = map[string]func(s *script, args []string){
	"space": func(s *script, args []string) {
		var sizes []int32
		for _, size := range args {
			sizes = append(sizes, int32(s.number(size)))
		}
		s.w = newWorld(newConfig(sizes...))
		s.w.log = s.overhear
	},
	"network": func(s *script, args []string) { s.quietly(func() { s.w.found(s.key(args[1])) }) },
	"join": func(s *script, args []string) {
		p := s.w.add(s.key(args[1]))
		s.w.order(p, store.CommandMap(can.Command{Kind: can.CommandJoin, Contact: s.node(args[3])}))
	},
	"leave": func(s *script, args []string) {
		s.w.order(s.process(args[0]), store.CommandMap(can.Command{Kind: can.CommandLeave}))
	},
	"get":    func(s *script, args []string) { s.operation(store.Get, args, 0, 0) },
	"lookup": func(s *script, args []string) { s.operation(store.Lookup, args, 0, 0) },
	"put":    func(s *script, args []string) { s.operation(store.Put, args, s.number(args[2]), 0) },
	"cas": func(s *script, args []string) {
		s.operation(store.CompareAndSet, args, s.number(args[3]), s.number(args[2]))
	},
	"deliver": func(s *script, args []string) {
		if args[0] == "all" {
			s.w.drain()
			return
		}
		s.w.deliver(s.envelope(args))
	},
	"repeat": func(s *script, args []string) { s.w.hand(s.w.net[s.envelope(args)]) },
	"copy":   func(s *script, args []string) { s.aside[args[0]] = s.w.net[s.envelope(args[1:])] },
	"late":   func(s *script, args []string) { s.w.hand(s.aside[args[0]]) },
	"lose": func(s *script, args []string) {
		i := s.envelope(args)
		s.say("lost " + store.MessageText(s.w.cfg, s.w.net[i].Message))
		s.w.net = append(s.w.net[:i:i], s.w.net[i+1:]...)
	},
	"timeout": func(s *script, args []string) { s.timeout(args) },
	"crash":   func(s *script, args []string) { s.w.crash(s.process(args[0])) },
	"restart": func(s *script, args []string) { s.w.restart(s.process(args[0])) },
	"settle":  func(s *script, _ []string) { s.quietly(func() { require.True(s.t, s.w.settle()) }) },
	"state":   func(s *script, args []string) { s.say(store.StateText(s.w.cfg, s.process(args[0]).state)) },
	"inflight": func(s *script, _ []string) {
		for _, e := range s.w.net {
			s.say(e.To.String() + "<-" + e.From.String() + " " + store.MessageText(s.w.cfg, e.Message))
		}
	},
}

func (s *script) operation(kind store.Kind, args []string, value, expect int) {
	s.id++
	op := store.Operation{ID: s.id, Kind: kind, Key: s.key(args[1]), Value: uint32(value), Expect: uint32(expect)}
	s.w.order(s.process(args[0]), store.CommandOperation(op))
}

// say writes a line of what happens.
func (s *script) say(line string) { s.out.WriteString("  " + line + "\n") }

// overhear takes over what the driver notes, unless the command says the same.
func (s *script) overhear(line string) {
	if strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "deliver") || strings.HasPrefix(line, "lost") ||
		strings.HasPrefix(line, "VIOLATED") {
		s.say(line)
	}
}

func (s *script) quietly(run func()) {
	log := s.w.log
	s.w.log = nil
	run()
	s.w.log = log
}

func (s *script) number(word string) int {
	n, err := strconv.Atoi(word)
	require.NoError(s.t, err)
	return n
}

// key reads a point: 5, or 1,6
func (s *script) key(word string) (p space.Point) {
	for k, c := range strings.Split(word, ",") {
		p[k] = int32(s.number(c))
	}
	return p
}

// node reads an identity as String writes it: A, C.2
func (s *script) node(name string) protocol.NodeID {
	letter, life, later := strings.Cut(name, ".")
	id := protocol.NodeID{Address: protocol.Address(letter[0] - 'A'), Incarnation: 1}
	if later {
		id.Incarnation = uint16(s.number(life))
	}
	require.Less(s.t, int(id.Address), len(s.w.nodes), "there is no node %s", name)
	return id
}

func (s *script) process(name string) *process { return s.w.at(s.node(name)) }

// envelope finds a message: "B<-A" and perhaps the name of its type.
func (s *script) envelope(args []string) int {
	to, from, _ := strings.Cut(args[0], "<-")
	for i, e := range s.w.net {
		text := strings.Fields(store.MessageText(s.w.cfg, e.Message))
		if e.To == s.node(to) && e.From == s.node(from) && (len(args) == 1 || text[0] == args[1]) {
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
		if store.TimerText(t) == name {
			s.w.fire(p, t)
			return
		}
	}
	require.Fail(s.t, "no such timer is pending", "%s at %s", name, args[0])
}

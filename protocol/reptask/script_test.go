package reptask_test

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
	"github.com/canvass-grid/canvass/protocol/reptask"
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
//	nodes ABC, ABC, BC           a node for each cluster, started and told
//	submit A @3 2 1.5-fold to BC a job of two, submitted at 3 with over-provisioning, and who may represent it
//	cancel A 1                   the client wants job 1 no more
//	move A#1@3 B C               the job goes from B to C
//	leave A                      it takes nothing any more, and gives back what has not begun
//	adopt B A#1@3 by C to BC     B, which represents it, is to ask C to own it; who may represent it then
//	deliver B<-A [Dispatch]      the oldest message from A to B [of this kind]
//	deliver all                  everything, and what follows from it, oldest first
//	repeat B<-A [Dispatch]       a copy of that message; lose B<-A [Dispatch] makes it vanish
//	timeout B resend             a timer fires: run, resend, beat, lease A, regrant A
//	crash C, restart C
//	settle                       a fair driver until all is at rest, and what ought to be true then; it finds owners for orphans
//	state A, inflight            show a node, and the messages on their way
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
				"if this is as it should be: go test ./protocol/reptask -run TestScripts -rewrite",
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
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "  ") {
			continue
		}
		s.out.WriteString(line + "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if clusters, ok := strings.CutPrefix(line, "nodes "); ok {
			s.nodes(strings.Split(clusters, ", "))
			continue
		}
		for command := range strings.SplitSeq(line, ", ") {
			words := strings.Fields(command)
			s.command(words[0], words[1:])
		}
	}
	return s.out.String()
}

func (s *script) say(line string) { s.out.WriteString("  " + line + "\n") }

func (s *script) nodes(clusters []string) {
	s.w = newWorld(len(clusters))
	for i, names := range clusters {
		var all []reptask.Neighbour
		for _, id := range s.ids(names) {
			all = append(all, reptask.Neighbour{ID: id})
		}
		s.w.order(s.w.nodes[i], reptask.Command{Kind: reptask.CommandCluster, Cluster: all})
	}
	s.w.log = s.say
}

func (s *script) command(name string, args []string) {
	switch name {
	case "submit":
		s.submit(args)
	case "cancel":
		s.w.order(s.process(args[0]), reptask.Command{Kind: reptask.CommandCancel, Number: uint32(s.number(args[1]))})
	case "move":
		s.w.order(s.process(args[1]), reptask.Command{Kind: reptask.CommandMove, Job: s.job(args[0]), Target: s.id(args[2])})
	case "leave":
		s.w.order(s.process(args[0]), reptask.Command{Kind: reptask.CommandLeave})
	case "adopt":
		s.w.order(
			s.process(args[0]),
			reptask.Command{Kind: reptask.CommandAdopt, Job: s.job(args[1]), Target: s.id(args[3]), Candidates: s.ids(args[5])},
		)
	case "deliver":
		if args[0] == "all" {
			s.w.drain()
			return
		}
		s.w.deliver(s.envelope(args))
	case "repeat":
		s.w.hand(s.w.net[s.envelope(args)])
	case "lose":
		i := s.envelope(args)
		s.w.net = slices.Delete(s.w.net, i, i+1)
	case "timeout":
		s.timeout(args)
	case "crash":
		s.w.crash(s.process(args[0]))
	case "restart":
		s.w.start(s.process(args[0]))
	case "settle":
		s.w.finds = true
		if !s.w.settle() {
			s.w.violated("the world does not come to rest")
		}
		s.w.checkAtRest()
	case "state":
		s.say(reptask.StateText(s.w.cfg, s.process(args[0]).state))
	case "inflight":
		for _, e := range s.w.net {
			s.say(e.To.String() + "<-" + e.From.String() + " " + reptask.MessageText(s.w.cfg, e.Message))
		}
	default:
		require.Fail(s.t, "no such command", name)
	}
}

func (s *script) submit(args []string) {
	o := reptask.Command{Kind: reptask.CommandSubmit, Submitted: uint64(s.number(args[1][1:])), Candidates: s.ids(args[5])}
	o.Spec.Size = uint32(s.number(args[2]))
	for o.Spec.Over.String() != args[3] {
		require.Less(s.t, o.Spec.Over, reptask.OverTotal, "no over-provisioning %s", args[3])
		o.Spec.Over++
	}
	s.w.order(s.process(args[0]), o)
}

// job reads a job as texts write it: A#1@3
func (s *script) job(word string) reptask.Job {
	owner, rest, _ := strings.Cut(word, "#")
	number, submitted, _ := strings.Cut(rest, "@")
	return reptask.Job{Submitted: uint64(s.number(submitted)), Owner: s.id(owner), Number: uint32(s.number(number))}
}

func (s *script) number(word string) int {
	n, err := strconv.Atoi(word)
	require.NoError(s.t, err)
	return n
}

func (s *script) process(name string) *process { return s.w.at(s.id(name)) }

func (s *script) ids(names string) []protocol.NodeID {
	var all []protocol.NodeID
	for i := range len(names) {
		all = append(all, s.id(names[i:i+1]))
	}
	return all
}

// id reads an identity as String writes it: A, C.2
func (s *script) id(name string) protocol.NodeID {
	letter, life, later := strings.Cut(name, ".")
	id := protocol.NodeID{Address: protocol.Address(letter[0] - 'A'), Incarnation: 1}
	if later {
		id.Incarnation = uint16(s.number(life))
	}
	return id
}

// envelope finds a message: "B<-A" and perhaps its kind.
func (s *script) envelope(args []string) int {
	to, from, _ := strings.Cut(args[0], "<-")
	for i, e := range s.w.net {
		if e.To == s.id(to) && e.From == s.id(from) && (len(args) == 1 || e.Message.Kind.String() == args[1]) {
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
		if reptask.TimerText(t) == name {
			s.w.fire(p, t)
			return
		}
	}
	require.Fail(s.t, "no such timer is pending", "%s at %s", name, args[0])
}

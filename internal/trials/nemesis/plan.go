package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is a kind of fault.
type Kind string

// The kinds of faults.
const (
	CrashDaemon Kind = "crash-daemon" // kill -9; started again after For
	CrashShim   Kind = "crash-shim"   // kill -9 of the shim of a task
	CrashTask   Kind = "crash-task"   // kill -9 of the process of a task
	CrashBoth   Kind = "crash-both"   // kill -9 of a daemon and all its shims and tasks at once
	CrashAll    Kind = "crash-all"    // kill -9 of all daemons at once; started again after For
	PauseDaemon Kind = "pause-daemon" // SIGSTOP, and SIGCONT after For
	PauseShim   Kind = "pause-shim"
	PauseBoth   Kind = "pause-both" // a daemon and its shims
	Cut         Kind = "cut"        // no byte passes between two nodes
	OneWay      Kind = "one-way"    // no byte passes from the first node to the second
	Slow        Kind = "slow"       // 10 KB/s between two nodes
	Reset       Kind = "reset"      // all connections of two nodes are reset
	Isolate     Kind = "isolate"    // nodes are cut from all others
	Burst       Kind = "burst"      // Count jobs are submitted at once
	Drain       Kind = "drain"      // canvass node drain --deadline Within; started again For after it has ended
	Leave       Kind = "leave"      // SIGTERM, upon which a daemon leaves within LeaveLimit; started again as well
	Regrid      Kind = "regrid"     // canvass node repair --regrid: all daemons end, and are started again
	Replace     Kind = "replace"    // a machine is lost with its disk; after For another one joins in its place
	Litter      Kind = "litter"     // a job leaves Count files
	Lock        Kind = "lock"       // a job leaves folders without permissions, and deep ones
	Flood       Kind = "flood"      // strangers connect to a witness
	Hostile     Kind = "hostile"    // a member of the grid sends what no daemon sends
)

// LeaveLimit is the longest time in which a daemon leaves after SIGTERM.
const LeaveLimit = 10 * time.Second

// leaves reports whether a daemon is made to leave.
func (k Kind) leaves() bool { return k == Drain || k == Leave }

// daemons reports whether daemons are killed, and come back.
func (k Kind) daemons() bool { return k == CrashDaemon || k == CrashBoth || k == CrashAll }

// Kinds lists all kinds.
func Kinds() []Kind {
	return []Kind{
		CrashDaemon, CrashShim, CrashTask, CrashBoth, CrashAll, PauseDaemon, PauseShim, PauseBoth,
		Cut, OneWay, Slow, Reset, Isolate, Burst, Drain, Leave, Regrid, Replace, Litter, Lock, Flood,
		Hostile,
	}
}

// Fault is something bad that happens.
type Fault struct {
	At     time.Duration // since the grid was ready
	Kind   Kind
	Nodes  []int         // from 1; of a shim or task: where to look first; of Drain: that one, and which one is asked
	For    time.Duration // until it is healed; 0: it heals by itself
	Count  int           // of Burst and Litter
	Within time.Duration // of Drain: the daemon ends at the latest after this time
}

// Bounds keep a plan within the promises of the daemon.
type Bounds struct {
	DaemonCrashes int           // the most crashes of daemons in the run, and of daemons that are made to leave
	Leaves        int           // the most daemons that are made to leave
	Regrids       int           // how often the witnesses are asked to close the grid, at most
	Losses        int           // the most machines that are lost with their disks: always those of one place
	Attacks       int           // jobs that leave much or locked folders, floods of strangers, and hostile members
	Restart       time.Duration // within which a daemon that was killed is started again
	Down          int           // the most daemons that are down or leave at once, if not all are down
	Apart         time.Duration // between two crashes of daemons: the zone of the first must have been taken over
	Silence       time.Duration // the longest that two nodes do not hear each other, but for crashes
	Replaced      bool          // a daemon that was killed is taken off the map; else jobs may wait forever after it
}

// Progress reports whether jobs must end and all daemons be members after the faults of a plan.
func (b Bounds) Progress() bool { return b.DaemonCrashes == 0 || b.Replaced }

// Today returns the bounds of the present daemon, for a run of a duration.
func Today(nodes int, duration time.Duration) Bounds {
	minutes := max(1, int((duration+time.Minute-1)/time.Minute))
	b := Bounds{DaemonCrashes: 4 * nodes * minutes, Leaves: 2 * nodes * minutes, Regrids: minutes,
		Attacks: 2 * minutes, Restart: 3 * time.Second, Down: 2, Apart: 12 * time.Second, Silence: longest,
		Replaced: true}
	if nodes > firstPlace { // the first ones are witnesses, which cannot be replaced
		b.Losses = minutes
	}
	return b
}

// firstPlace is the number of daemons that are witnesses.
const firstPlace = 3

// Plan is a run.
type Plan struct {
	Seed     uint64
	Nodes    int
	Duration time.Duration // of faults and load
	Bounds   Bounds
	Faults   []Fault // in the order of At
}

// weights say how often a kind is drawn.
var weights = map[Kind]int{
	CrashDaemon: 4, CrashShim: 2, CrashTask: 2, CrashBoth: 2, CrashAll: 2, PauseDaemon: 3, PauseShim: 2, PauseBoth: 2,
	Cut: 3, OneWay: 3, Slow: 2, Reset: 3, Isolate: 2, Burst: 2,
}

// longest is the longest pause or cut.
const longest = 10 * time.Second

const (
	largestBurst = 24  // jobs of a common burst
	crowd        = 200 // of one burst in twenty
)

// gap is the time between two silences of a pair of nodes, if Bounds.Silence is less than longest.
const gap = 1500 * time.Millisecond

// milli is the resolution of a plan.
const milli = time.Millisecond

// Draw makes a plan.
func Draw(seed uint64, nodes int, duration time.Duration, b Bounds) Plan {
	p := Plan{Seed: seed, Nodes: nodes, Duration: duration.Truncate(milli), Bounds: b}
	r := rand.New(rand.NewPCG(seed, 0x6e656d65736973))
	var bag []Kind
	for _, k := range Kinds() {
		for range weights[k] {
			bag = append(bag, k)
		}
	}
	// Crashes of daemons are few, and spread over the run.
	rest, free := b.DaemonCrashes, time.Duration(0)
	var quiet silences
	for at := between(r, time.Second, 2*time.Second); at < p.Duration; at += between(r, 300*milli, 2500*milli) {
		f := Fault{At: at, Kind: bag[r.IntN(len(bag))]}
		if f.Kind.daemons() {
			due := float64(b.DaemonCrashes) * float64(at) / float64(p.Duration)
			if rest <= 0 || f.Kind == CrashAll && rest < nodes || float64(b.DaemonCrashes-rest) > due || at < free {
				f.Kind = CrashTask
			}
		}
		f.draw(r, nodes, b, rest)
		if b.Silence < longest && !quiet.add(&f, nodes) {
			f = Fault{At: at, Kind: CrashTask, Nodes: f.Nodes[:1]}
		}
		if f.Kind.daemons() {
			rest -= len(f.Nodes)
			free = at + f.For + b.Apart
		}
		p.Faults = append(p.Faults, f)
	}
	p.operators()
	p.attacks()
	return p
}

// silences say until when two nodes may not hear each other.
type silences [MaxNodes][MaxNodes]time.Duration

// add notes the silence that a fault brings. It reports false, and notes nothing, if it would
// follow another one too soon.
func (s *silences) add(f *Fault, nodes int) bool {
	if f.For == 0 || f.Kind.daemons() || f.Kind == Slow {
		return true
	}
	hit := func(i, j int) bool {
		a, b := slices.Contains(f.Nodes, i+1), slices.Contains(f.Nodes, j+1)
		switch f.Kind {
		case Cut, OneWay:
			return a && b
		case Isolate:
			return a != b
		}
		return true // which node a pause meets depends on where tasks run
	}
	for i := range nodes {
		for j := range nodes {
			if i != j && hit(i, j) && s[i][j] > f.At {
				return false
			}
		}
	}
	for i := range nodes {
		for j := range nodes {
			if i != j && hit(i, j) {
				s[i][j] = f.At + f.For + gap
			}
		}
	}
	return true
}

func between(r *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(r.Int64N(int64((high-low)/milli)+1))*milli
}

// draw fills in the fields that a kind needs.
func (f *Fault) draw(r *rand.Rand, nodes int, b Bounds, crashes int) {
	some := func(n int) {
		all := r.Perm(nodes)
		for _, i := range all[:min(n, nodes)] {
			f.Nodes = append(f.Nodes, i+1)
		}
	}
	switch f.Kind {
	case CrashDaemon, CrashBoth, CrashAll:
		several := 1
		if f.Kind == CrashAll {
			several = nodes
		} else if r.IntN(3) == 0 {
			several = min(b.Down, crashes)
		}
		some(max(1, several))
		slices.Sort(f.Nodes)
		f.For = between(r, 50*milli, b.Restart)
	case CrashShim, CrashTask:
		some(1)
	case PauseDaemon, PauseShim, PauseBoth:
		some(1)
		f.For = between(r, 100*milli, min(longest, b.Silence))
		if r.IntN(2) == 0 {
			f.For = between(r, 100*milli, 1500*milli)
		}
	case Cut, OneWay, Slow:
		some(2)
		f.For = between(r, 200*milli, min(longest, b.Silence))
	case Reset:
		some(2)
	case Isolate:
		some(1 + r.IntN(max(1, (nodes-1)/2)))
		slices.Sort(f.Nodes)
		f.For = between(r, 200*milli, min(longest, b.Silence))
	case Burst:
		some(1)
		f.Count = 5 + r.IntN(20)
		if f.Count == largestBurst {
			f.Count = crowd
		}
	}
}

// String is a line of a printed plan.
func (f Fault) String() string {
	var nodes []string
	for _, n := range f.Nodes {
		nodes = append(nodes, strconv.Itoa(n))
	}
	s := fmt.Sprintf("%v %s %s", f.At, f.Kind, strings.Join(nodes, ","))
	if f.For > 0 {
		s += fmt.Sprintf(" for %v", f.For)
	}
	if f.Count > 0 {
		s += fmt.Sprintf(" count %d", f.Count)
	}
	if f.Within > 0 {
		s += fmt.Sprintf(" within %v", f.Within)
	}
	return s
}

// value is a value in the first line of a printed plan, after its name.
type value struct {
	name string
	to   any // pointer to it
}

// head is the first line of the printed plan.
func (p *Plan) head() []value {
	b := &p.Bounds
	return []value{
		{"seed", &p.Seed}, {"nodes", &p.Nodes}, {"duration", &p.Duration}, {"crashes", &b.DaemonCrashes},
		{"leaves", &b.Leaves}, {"regrids", &b.Regrids}, {"losses", &b.Losses},
		{"attacks", &b.Attacks}, {"restart", &b.Restart}, {"down", &b.Down},
		{"apart", &b.Apart}, {"silence", &b.Silence}, {"replaced", &b.Replaced},
	}
}

// String prints the plan.
func (p Plan) String() string {
	var b strings.Builder
	b.WriteString("plan")
	for _, v := range p.head() {
		fmt.Fprintf(&b, " %s %v", v.name, reflect.ValueOf(v.to).Elem())
	}
	b.WriteString("\n")
	for _, f := range p.Faults {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

// ErrPlan says that a text is no plan.
var ErrPlan = errors.New("not a plan")

// Parse reads a plan that was printed.
func Parse(r io.Reader) (p Plan, err error) {
	lines := bufio.NewScanner(r)
	number := 0
	for lines.Scan() {
		number++
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0:
			continue
		case number == 1:
			err = p.parseHead(words)
		default:
			var f Fault
			f, err = parseFault(words, p.Nodes)
			p.Faults = append(p.Faults, f)
		}
		if err != nil {
			return p, fmt.Errorf("%w: line %d, %q: %w", ErrPlan, number, lines.Text(), err)
		}
	}
	if p.Nodes < 3 || p.Nodes > MaxNodes {
		return p, fmt.Errorf("%w: %d nodes; want 3 to %d", ErrPlan, p.Nodes, MaxNodes)
	}
	return p, lines.Err()
}

func (p *Plan) parseHead(words []string) (err error) {
	head := p.head()
	if words[0] != "plan" || len(words) != 1+2*len(head) {
		return fmt.Errorf("want plan, and %d names with their values", len(head))
	}
	for i, v := range head {
		name, text := words[1+2*i], words[2+2*i]
		if name != v.name {
			return fmt.Errorf("%q where %q was expected", name, v.name)
		}
		if d, is := v.to.(*time.Duration); is {
			*d, err = time.ParseDuration(text)
		} else {
			_, err = fmt.Sscan(text, v.to)
		}
		if err != nil {
			return fmt.Errorf("%s %q: %w", name, text, err)
		}
	}
	return nil
}

// MaxNodes is the largest number of daemons.
const MaxNodes = 9

func parseFault(words []string, nodes int) (f Fault, err error) {
	if len(words) < 3 || len(words)%2 == 0 {
		return f, errors.New("want: time, kind, nodes, and then for, count or within with a value")
	}
	if f.At, err = time.ParseDuration(words[0]); err != nil {
		return f, err
	}
	if f.Kind = Kind(words[1]); !slices.Contains(Kinds(), f.Kind) {
		return f, fmt.Errorf("no fault %q", f.Kind)
	}
	for n := range strings.SplitSeq(words[2], ",") {
		i, err := strconv.Atoi(n)
		if err != nil || i < 1 || i > nodes {
			return f, fmt.Errorf("no node %q; nodes are 1 to %d", n, nodes)
		}
		f.Nodes = append(f.Nodes, i)
	}
	if pair := f.Kind == Cut || f.Kind == OneWay || f.Kind == Slow || f.Kind == Reset; pair && len(f.Nodes) != 2 {
		return f, fmt.Errorf("%s is between two nodes", f.Kind)
	}
	if f.Kind.leaves() && len(f.Nodes) > 2 || f.Kind == Leave && len(f.Nodes) > 1 {
		return f, errors.New("one daemon leaves; a drain may name another one, which is asked")
	}
	if f.Kind == Replace && (len(f.Nodes) != 1 || f.Nodes[0] <= firstPlace) {
		return f, fmt.Errorf("one machine is replaced, and none of the witnesses 1 to %d", firstPlace)
	}
	for i := 3; i < len(words); i += 2 {
		switch words[i] {
		case "for":
			f.For, err = time.ParseDuration(words[i+1])
		case "count":
			f.Count, err = strconv.Atoi(words[i+1])
		case "within":
			f.Within, err = time.ParseDuration(words[i+1])
		default:
			err = fmt.Errorf("%q is neither for nor count nor within", words[i])
		}
		if err != nil {
			return f, err
		}
	}
	if f.Kind == Hostile && (len(f.Nodes) != 1 || f.For <= 0) {
		return f, errors.New("a hostile member attacks one daemon, for a time")
	}
	if (f.Kind == Drain) != (f.Within > 0) {
		return f, errors.New("a drain, and nothing else, ends within a time")
	}
	return f, nil
}

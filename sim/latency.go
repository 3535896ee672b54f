package sim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrLatency is wrapped by every error about an impossible latency.
var ErrLatency = errors.New("impossible latency")

// Latency is how long a message takes, in microseconds.
type Latency interface {
	Micros(from, to protocol.Address, c *Chance) int64
}

// Constant is the same latency for all messages.
type Constant int64

// Micros implements [Latency].
func (l Constant) Micros(_, _ protocol.Address, _ *Chance) int64 { return int64(l) }

// Uniform is drawn uniformly from Min to Max.
type Uniform struct{ Min, Max int64 }

// Micros implements [Latency].
func (l Uniform) Micros(_, _ protocol.Address, c *Chance) int64 { return c.Between(l.Min, l.Max) }

// Exponential is drawn from the exponential distribution with that mean, as in the papers (50 ms).
type Exponential int64

// Micros implements [Latency].
func (l Exponential) Micros(_, _ protocol.Address, c *Chance) int64 { return c.Exponential(int64(l)) }

// Asymmetric slows each direction of each link by a separate factor, from 1 to 1 + PerMille/1000.
type Asymmetric struct {
	Base     Latency
	PerMille uint64
}

// Micros implements [Latency].
func (l Asymmetric) Micros(from, to protocol.Address, c *Chance) int64 {
	more := mix(uint64(from)<<32|uint64(to)) % (l.PerMille + 1)
	return l.Base.Micros(from, to, c) * int64(1000+more) / 1000
}

// Plane puts the nodes at points of a square, drawn from Salt. A message takes the distance between
// the two points, where Side is the length of a side, and an exponentially distributed time with
// mean Queueing.
type Plane struct {
	Side, Queueing int64
	Salt           uint64
}

// Micros implements [Latency].
func (l Plane) Micros(from, to protocol.Address, c *Chance) int64 {
	return l.Way(from, to) + c.Exponential(l.Queueing)
}

// Way is the latency without queueing.
func (l Plane) Way(from, to protocol.Address) int64 {
	x, y := l.at(from)
	u, v := l.at(to)
	return 1 + root((x-u)*(x-u)+(y-v)*(y-v))
}

func (l Plane) at(a protocol.Address) (x, y int64) {
	c := NewChance(l.Salt, uint64(a))
	return int64(c.Below(uint64(l.Side))), int64(c.Below(uint64(l.Side)))
}

// root is the square root, rounded down, by Newton's method in integers.
func root(n int64) int64 {
	if n < 2 {
		return n
	}
	for at := n; ; {
		next := (at + n/at) / 2
		if next >= at {
			return at
		}
		at = next
	}
}

// maxPlane keeps squares of distances within 64 bits.
const maxPlane = 1_000_000_000

// maxLatency is a day.
const maxLatency = 24 * 3600 * 1_000_000

// maxPerMille keeps a latency, and its product with a slowdown, within 64 bits.
const maxPerMille = 1_000_000

// ParseLatency reads a latency as plans and command lines write it: "constant 50000", "uniform 1000
// 90000", "exponential 50000" or "plane 200000 5000 7" (side, queueing and salt), optionally
// followed by "asymmetric 500". Times are in microseconds.
func ParseLatency(text string) (Latency, error) {
	fields := strings.Fields(text)
	var numbers []int64
	for _, f := range fields {
		if n, err := strconv.ParseInt(f, 10, 64); err == nil {
			if n < 1 || n > maxLatency {
				return nil, fmt.Errorf("%w: %q: %d microseconds; it must be from 1 to %d", ErrLatency, text, n, int64(maxLatency))
			}
			numbers = append(numbers, n)
		}
	}
	shape := strings.Join(fields, " ")
	for _, n := range numbers {
		shape = strings.Replace(shape, strconv.FormatInt(n, 10), "N", 1)
	}
	shape, asymmetric := strings.CutSuffix(shape, " asymmetric N")
	var l Latency
	switch {
	case shape == "constant N":
		l = Constant(numbers[0])
	case shape == "uniform N N" && numbers[0] <= numbers[1]:
		l = Uniform{numbers[0], numbers[1]}
	case shape == "exponential N":
		l = Exponential(numbers[0])
	case shape == "plane N N N" && numbers[0] <= maxPlane:
		l = Plane{numbers[0], numbers[1], uint64(numbers[2])}
	default:
		return nil, fmt.Errorf("%w: %q; write \"constant N\", \"uniform MIN MAX\", \"exponential MEAN\" or "+
			"\"plane SIDE QUEUEING SALT\", in microseconds, optionally followed by \"asymmetric PERMILLE\"", ErrLatency, text)
	}
	if asymmetric {
		if numbers[len(numbers)-1] > maxPerMille {
			return nil, fmt.Errorf("%w: %q: asymmetric %d; it must be from 1 to %d (in thousandths)", ErrLatency, text,
				numbers[len(numbers)-1], maxPerMille)
		}
		l = Asymmetric{l, uint64(numbers[len(numbers)-1])}
	}
	return l, nil
}

// Drifting changes latencies during a run: a node may move to the position of another address.
type Drifting struct {
	Latency
	at []protocol.Address // by node
}

// NewDrifting returns latencies with every node at the position of its address.
func NewDrifting(l Latency, nodes int) *Drifting {
	d := &Drifting{Latency: l}
	for i := range nodes {
		d.at = append(d.at, protocol.Address(i))
	}
	return d
}

// Move moves a node to the position of an address. No node is notified.
func (d *Drifting) Move(node int, to protocol.Address) { d.at[node] = to }

// Micros implements [Latency].
func (d *Drifting) Micros(from, to protocol.Address, c *Chance) int64 {
	return d.Latency.Micros(d.at[from], d.at[to], c)
}

// way is implemented by latencies that know how long a message takes without queueing.
type way interface {
	Way(from, to protocol.Address) int64
}

var _, _ way = Plane{}, Placed{}

// Way is the present latency between two nodes without queueing, if it is known.
func (d *Drifting) Way(a, b protocol.Address) (micros int64, known bool) {
	w, known := d.Latency.(way)
	if !known {
		return 0, false
	}
	return w.Way(d.at[a], d.at[b]), true
}

package refine

import "strings"

// Readings selects interpretations of the text where two are plausible. The zero value takes the
// text literally. Each field selects the other interpretation of one passage, which the package
// comment quotes.
type Readings struct {
	SolicitsSelf  bool // a head's own client is one of "all clients in its discovered cluster"
	Once          bool // a solicitation of a suitor that is on the list is not appended again
	WaitsForPairs bool // "all accepted nodes have replied": until every pair of them is measured from both ends
	Lenient       bool // "nodes that are too far away" are filtered out; a pair that was not measured is not
	TellsFormer   bool // "any clients outside the cluster": former members too
}

// String names the interpretations that are not literal: "letter", "self+once".
func (r Readings) String() string {
	var names []string
	for _, c := range [...]struct {
		set  bool
		name string
	}{
		{r.SolicitsSelf, "self"}, {r.Once, "once"}, {r.WaitsForPairs, "pairs"}, {r.Lenient, "lenient"},
		{r.TellsFormer, "former"},
	} {
		if c.set {
			names = append(names, c.name)
		}
	}
	if names == nil {
		return "letter"
	}
	return strings.Join(names, "+")
}

// EveryReading returns all combinations, the letter first.
func EveryReading() []Readings {
	var all []Readings
	for bits := range 1 << 5 {
		all = append(all, Readings{
			SolicitsSelf:  bits&1 != 0,
			Once:          bits&2 != 0,
			WaitsForPairs: bits&4 != 0,
			Lenient:       bits&8 != 0,
			TellsFormer:   bits&16 != 0,
		})
	}
	return all
}

// Criterion is how suitors are sorted.
type Criterion uint8

// The three criteria of section 5.1.1.
const (
	FCFS   Criterion = iota // "essentially no sort"
	Global                  // by "a consistent hash of the suitor identity"
	Greedy                  // by ceiling, then accepted solicitations, then hash
)

// Config has the parameters that all nodes share. It never changes while a node runs.
type Config struct {
	Readings    Readings
	Criterion   Criterion
	Memberships int    // M: how many suitors a client keeps
	Size        int    // N: how many nodes a cluster has, its head included
	Diameter    uint32 // "cluster diameter", in microseconds

	CollectTicks uint32 // no new information for so long: the network is stable
	WaitTicks    uint32 // how long a client collects solicitations
	DeferTicks   uint32 // after so long a deferred solicitation is sent again
	FaultTicks   uint32 // a head that is silent for so long has failed
}

// DefaultConfig returns a configuration that takes the text literally, first come, first served,
// with times in units of 10 ms.
func DefaultConfig(memberships, size int, diameter uint32) Config {
	return Config{
		Memberships: memberships, Size: size, Diameter: diameter,
		CollectTicks: 3000, WaitTicks: 500, DeferTicks: 1000, FaultTicks: 3000,
	}
}

package reptask

import "strings"

// Readings selects interpretations of the text where two are plausible. The zero value takes the
// text literally. Each field selects the other interpretation of one passage, which the package
// comment quotes.
type Readings struct {
	Requeue    bool // a task that "is killed" goes back into its queue
	Tells      bool // its representative is notified
	WholeOrder bool // "older" is the order of the queues, not the submit time alone
	LateCancel bool // "any other dependent tasks are canceled": also tasks that get ready later
	ByPair     bool // a task is known by its job and its representative, not by its job alone
}

// String names the interpretations that are not literal: "letter", "requeue+tells".
func (r Readings) String() string {
	var names []string
	for _, c := range [...]struct {
		set  bool
		name string
	}{
		{r.Requeue, "requeue"}, {r.Tells, "tells"}, {r.WholeOrder, "order"}, {r.LateCancel, "late"}, {r.ByPair, "pair"},
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
			Requeue:    bits&1 != 0,
			Tells:      bits&2 != 0,
			WholeOrder: bits&4 != 0,
			LateCancel: bits&8 != 0,
			ByPair:     bits&16 != 0,
		})
	}
	return all
}

// Config has the parameters that all nodes share. It never changes while a node runs.
type Config struct {
	Readings Readings
	// Fold is "the amount of over-provisioning": a job of k tasks dispatches Fold times k, or as many
	// as the cluster has nodes. 1 is "exactly the number of nodes needed".
	Fold     int
	RunTicks uint32 // how long a dependent task computes
}

// DefaultConfig returns a configuration that takes the text literally, without over-provisioning,
// with times in units of 10 ms.
func DefaultConfig() Config { return Config{Fold: 1, RunTicks: 6000} }

package election_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/election"
	"github.com/canvass-grid/canvass/model"
)

func check(t *testing.T, r election.Ring, b model.Budget) *checker.Report {
	t.Helper()
	m, err := election.New(r)
	require.NoError(t, err)
	m, err = m.With(b)
	require.NoError(t, err)
	report, err := checker.Check(context.Background(), m.Model(), checker.Options{ContinueAfterViolation: true})
	require.NoError(t, err)
	require.True(t, report.Complete)
	return report
}

// violated lists the properties that do not hold.
func violated(r *checker.Report) []string {
	var names []string
	for _, o := range r.Outcomes {
		if o.Verdict != checker.Holds {
			names = append(names, o.Property.Name)
		}
	}
	return names
}

func TestVerdicts(t *testing.T) {
	tests := []struct {
		name     string
		ring     election.Ring
		budget   model.Budget
		states   uint64
		violated []string
	}{
		{"3 nodes", election.Ring{IDs: []uint8{1, 3, 2}, Network: model.FIFO}, model.Budget{}, 82, nil},
		{"3 nodes, descending", election.Ring{IDs: []uint8{3, 2, 1}, Network: model.FIFO}, model.Budget{}, 82, nil},
		{"5 nodes", election.Ring{IDs: []uint8{3, 1, 5, 2, 4}, Network: model.FIFO}, model.Budget{}, 1_302, nil},
		{"unordered", election.Ring{IDs: []uint8{1, 3, 2}}, model.Budget{}, 134, []string{"Swept"}},
		{
			"a duplicate",
			election.Ring{IDs: []uint8{1, 3, 2}, Network: model.FIFO},
			model.Budget{Duplicate: 1},
			365,
			[]string{"Swept"},
		},
		{
			"a drop",
			election.Ring{IDs: []uint8{1, 3, 2}, Network: model.FIFO},
			model.Budget{Drop: 1},
			167,
			[]string{"Elects", "deadlock"},
		},
		{
			"the planted bug", election.Ring{IDs: []uint8{1, 3, 2}, Network: model.FIFO, KeepAll: true}, model.Budget{}, 266,
			[]string{"OneLeader", "Highest", "Swept"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := check(t, test.ring, test.budget)
			assert.Equal(t, test.states, r.States)
			assert.Equal(t, test.violated, violated(r))
		})
	}
}

// The numbers of states are those of a search over plain values that shares no code with the
// example.
func TestCounts(t *testing.T) {
	for _, ids := range [][]uint8{{1}, {1, 2}, {1, 3, 2}, {3, 2, 1}, {1, 2, 3, 4}, {4, 3, 2, 1}, {3, 1, 5, 2, 4}} {
		r := check(t, election.Ring{IDs: ids, Network: model.FIFO}, model.Budget{})
		states, transitions := count(ids)
		assert.Equal(t, states, r.States, "states of %d", ids)
		assert.Equal(t, transitions, r.Transitions, "transitions of %d", ids)
	}
}

// ring is a state in plain values. The channel of a node leads to the next one; an announcement is
// a negative number.
type ring struct {
	ids      []uint8
	asked    []bool // the command was given
	joined   []bool
	leader   []uint8
	channels [][]int
}

func count(ids []uint8) (states, transitions uint64) {
	n := len(ids)
	first := ring{ids, make([]bool, n), make([]bool, n), make([]uint8, n), make([][]int, n)}
	seen, todo := map[string]bool{fmt.Sprint(first): true}, []ring{first}
	for len(todo) > 0 {
		now := todo[0]
		todo = todo[1:]
		for i := range n {
			for _, next := range []*ring{now.start(i), now.receive(i)} {
				if next == nil {
					continue
				}
				transitions++
				if key := fmt.Sprint(*next); !seen[key] {
					seen[key] = true
					todo = append(todo, *next)
				}
			}
		}
	}
	return uint64(len(seen)), transitions
}

func (r ring) clone() *ring {
	c := ring{r.ids, slices.Clone(r.asked), slices.Clone(r.joined), slices.Clone(r.leader), slices.Clone(r.channels)}
	for i, messages := range c.channels {
		c.channels[i] = slices.Clone(messages)
	}
	return &c
}

// start gives the command to a node, if it was not given yet.
func (r ring) start(i int) *ring {
	if r.asked[i] {
		return nil
	}
	next := r.clone()
	next.asked[i] = true
	if !next.joined[i] {
		next.joined[i] = true
		next.channels[i] = append(next.channels[i], int(next.ids[i]))
	}
	return next
}

// receive gives a node the first message of the channel that leads to it.
func (r ring) receive(i int) *ring {
	from := (i + len(r.ids) - 1) % len(r.ids)
	if len(r.channels[from]) == 0 {
		return nil
	}
	next, own := r.clone(), int(r.ids[i])
	m := next.channels[from][0]
	next.channels[from] = next.channels[from][1:]
	switch {
	case m == own:
		next.leader[i] = r.ids[i]
		next.channels[i] = append(next.channels[i], -own)
	case m < 0 && m != -own:
		next.leader[i] = uint8(-m)
		next.channels[i] = append(next.channels[i], m)
	case m > own || m > 0 && !r.joined[i]:
		next.joined[i] = true
		next.channels[i] = append(next.channels[i], max(m, own))
	}
	return next
}

func TestImpossibleRings(t *testing.T) {
	for _, ids := range [][]uint8{{1, 1}, {0, 1}, {}} {
		_, err := election.New(election.Ring{IDs: ids})
		require.ErrorIs(t, err, model.ErrSystem)
	}
}

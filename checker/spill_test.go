package checker

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// heap is the tree of the numbers below 60,000, in which i leads to i*fan+1 and so on, with a hook.
type heap struct {
	fan  uint32
	hook func(state uint32)
}

func (m heap) Width() int                   { return 1 }
func (m heap) Initial(add func([]uint32))   { add([]uint32{0}) }
func (m heap) Classes() []Class             { return []Class{{Name: "child"}} }
func (m heap) NewWorker() Worker            { return m }
func (m heap) Holds(_ int, s []uint32) bool { return s[0] == 59_000 }
func (m heap) Triggers(int, []uint32) bool  { return false }
func (m heap) Quiescent([]uint32) bool      { return false }
func (m heap) QuiescentEnd([]uint32) bool   { return true }

func (m heap) Properties() []Property { return []Property{{Name: "late", Shape: Sometimes}} }

func (m heap) Expand(state []uint32, out *Successors) {
	m.hook(state[0])
	for i := range m.fan {
		if child := state[0]*m.fan + i + 1; child < 60_000 {
			out.Add(0)[0] = child
		}
	}
}

// States on disk that cannot be read back must not be taken for anything else: the check fails. A
// chain is read again for the path only, a wide tree during the search.
func TestADiskThatLosesStatesIsAnError(t *testing.T) {
	for _, fan := range []uint32{1, 2} {
		for _, lose := range []bool{false, true} {
			var e *breadthFirst
			m := heap{fan, func(state uint32) {
				if lose && state == 20_000 {
					_ = e.states.Spill.File.Truncate(0)
				}
			}}
			e, err := newSearch(context.Background(), m, Options{Workers: 1, TempDir: t.TempDir()})
			require.NoError(t, err)
			e.states.KeepBytes = 0
			r, err := e.engine.run()
			onDisk := e.states.OnDisk()
			e.engine.close()
			require.Positive(t, onDisk)
			if lose {
				assert.Nil(t, r)
				assert.ErrorContains(t, err, "read back states from the temporary file")
				continue
			}
			require.NoError(t, err)
			assert.Equal(t, Holds, r.Outcomes[0].Verdict)
			assert.Equal(t, []uint32{59_000}, r.Outcomes[0].Path.Steps[len(r.Outcomes[0].Path.Steps)-1].State)
		}
	}
}

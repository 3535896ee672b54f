package reptask

import (
	"cmp"

	"github.com/canvass-grid/canvass/protocol"
)

// Job is the name and the age of a job, the same at all nodes.
type Job struct {
	Submitted uint64          // submit time, as the submitter states it; all nodes trust it (section 4.2)
	Owner     protocol.NodeID // the node that it was submitted to
	Number    uint32          // among the owner's jobs, from 1
}

// Compare compares jobs by age: by submit time, then by a hash of the job, then by owner and
// number. The paper stops at the hash, and two jobs may have the same hash.
func (j Job) Compare(other Job) int {
	if j == other {
		return 0
	}
	if c := cmp.Compare(j.Submitted, other.Submitted); c != 0 {
		return c
	}
	return cmp.Or(
		cmp.Compare(j.Hash(), other.Hash()), j.Owner.Compare(other.Owner), cmp.Compare(j.Number, other.Number),
	)
}

// Older reports whether the job comes before the other in every queue.
func (j Job) Older(other Job) bool { return j.Compare(other) < 0 }

// Hash is the hash that breaks ties between equal submit times.
func (j Job) Hash() uint64 { return protocol.Hash(j.append(nil)) }

func (j Job) append(dst []byte) []byte {
	dst = protocol.AppendUint(dst, j.Submitted)
	dst = protocol.AppendNodeID(dst, j.Owner)
	return protocol.AppendUint(dst, uint64(j.Number))
}

// Attempt is one try at running a job. An owner numbers the attempts of all its jobs together, so
// the granting owner and the epoch alone identify an attempt in events and logs. The later of two
// attempts at a job has the larger epoch, also if different owners granted them.
type Attempt struct {
	Job   Job
	By    protocol.NodeID // the owner that granted it; the job's first owner is in its name
	Epoch uint32
}

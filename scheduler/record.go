package scheduler

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Record is the outcome of a job, or of an attempt at one of its tasks. Each system has its rule
// for the time between start and end: the run time of a rigid job, a run time scaled by the speed
// of a node, or whole slots.
type Record struct {
	Job         int    // index in [Workload.Jobs]
	StartMicros int64  // of a job whose tasks run at once, when the last of them has begun
	EndMicros   int64  // of a rigid job, StartMicros plus its run time
	Cluster     int    // index in [Platform.Clusters]; of a job whose tasks ran in several, that of the first
	Excluded    string // why it never ran, or did not end; empty if it is done: see [Record.Leave]

	Task    int32  // number in [Workload.Tasks]; 0 in the record of a job
	Attempt uint16 // 0 is the first
	Outcome Outcome
}

// Outcome is the fate of a job or a task.
type Outcome uint8

// The outcomes.
const (
	Done     Outcome = iota
	Excluded         // it could never run on this platform
	Rejected         // the scheduler did not accept it
	Expired          // it waited until it was worth nothing
	Failed           // it began and did not end
	Refused          // no node accepted it
)

// String returns the name of an outcome.
func (o Outcome) String() string {
	return [...]string{"done", "excluded", "rejected", "expired", "failed", "refused"}[o]
}

// Leave notes that a job or task is not done, and why.
func (r *Record) Leave(o Outcome, why string) { r.Outcome, r.Excluded = o, why }

// Digest condenses starts and clusters, so that runs can be compared by a word: the first 16
// hexadecimal digits of their SHA-256.
func Digest(records []Record) string {
	sum := sha256.New()
	var b [16]byte
	for i := range records {
		binary.BigEndian.PutUint64(b[:8], uint64(records[i].StartMicros))
		binary.BigEndian.PutUint64(b[8:], uint64(records[i].Cluster))
		sum.Write(b[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

package scheduler

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Record is the outcome of a job.
type Record struct {
	Job         int    // index in [Workload.Jobs]
	StartMicros int64  // when the last of its tasks has begun
	EndMicros   int64  // StartMicros plus its run time
	Cluster     int    // index in [Platform.Clusters]
	Excluded    string // why it was never started; empty if it ran
}

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

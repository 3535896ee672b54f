package scheduler

// Record is what became of a job.
type Record struct {
	Job         int    // index in [Workload.Jobs]
	StartMicros int64  // when the last of its tasks has begun
	EndMicros   int64  // StartMicros plus its run time
	Cluster     int    // index in [Platform.Clusters]
	Excluded    string // why it was never started; empty if it ran
}

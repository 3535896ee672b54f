package parallel

// CoreCounts has the cost of a run of the cores, which package sim/grid makes, and its failures.
type CoreCounts struct {
	Messages   map[string]uint64 `json:"messages"` // sent, by kind
	Dropped    uint64            `json:"dropped_messages"`
	Failed     uint64            `json:"failed_nodes"`
	Left       uint64            `json:"left_nodes"`
	Returned   uint64            `json:"returned_nodes"`
	Again      uint64            `json:"submissions_again"` // beyond the first of a job
	Twice      uint64            `json:"jobs_run_twice"`    // results of jobs that had one
	LateMicros int64             `json:"late_task_micros"`  // of the last task of each job

	// Jobs that the grid has lost, so that their clients submitted them again, by why.
	LostTogether uint64 `json:"lost_owner_and_representative"`
	LostBetween  uint64 `json:"lost_between_attempts"`
	LostAdopted  uint64 `json:"lost_given_up_by_adopter"`
	LostUnderWay uint64 `json:"lost_under_way"`
	LostOther    uint64 `json:"lost_otherwise"`
}

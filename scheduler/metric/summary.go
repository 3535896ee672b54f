package metric

// Distribution describes a measure over jobs. The package comment defines each field.
type Distribution struct {
	Mean, Median, P90, P95, P99, Max, SD, AreaMean float64
}

// Wait describes the time between submission and start.
type Wait struct {
	Mean     float64 `json:"mean_wait_seconds"`
	Median   float64 `json:"median_wait_seconds"`
	P90      float64 `json:"p90_wait_seconds"`
	P95      float64 `json:"p95_wait_seconds"`
	P99      float64 `json:"p99_wait_seconds"`
	Max      float64 `json:"max_wait_seconds"`
	SD       float64 `json:"sd_wait_seconds"`
	AreaMean float64 `json:"area_mean_wait_seconds"`
}

// Response describes the time between submission and end.
type Response struct {
	Mean     float64 `json:"mean_response_seconds"`
	Median   float64 `json:"median_response_seconds"`
	P90      float64 `json:"p90_response_seconds"`
	P95      float64 `json:"p95_response_seconds"`
	P99      float64 `json:"p99_response_seconds"`
	Max      float64 `json:"max_response_seconds"`
	SD       float64 `json:"sd_response_seconds"`
	AreaMean float64 `json:"area_mean_response_seconds"`
}

// BoundedSlowdown describes bsld.
type BoundedSlowdown struct {
	Mean     float64 `json:"mean_bsld"`
	Median   float64 `json:"median_bsld"`
	P90      float64 `json:"p90_bsld"`
	P95      float64 `json:"p95_bsld"`
	P99      float64 `json:"p99_bsld"`
	Max      float64 `json:"max_bsld"`
	SD       float64 `json:"sd_bsld"`
	AreaMean float64 `json:"area_mean_bsld"`
}

// JacksonSlowdown describes sjackson.
type JacksonSlowdown struct {
	Mean     float64 `json:"mean_sjackson"`
	Median   float64 `json:"median_sjackson"`
	P90      float64 `json:"p90_sjackson"`
	P95      float64 `json:"p95_sjackson"`
	P99      float64 `json:"p99_sjackson"`
	Max      float64 `json:"max_sjackson"`
	SD       float64 `json:"sd_sjackson"`
	AreaMean float64 `json:"area_mean_sjackson"`
}

// PerProcessorSlowdown describes bsld_per_processor.
type PerProcessorSlowdown struct {
	Mean     float64 `json:"mean_bsld_per_processor"`
	Median   float64 `json:"median_bsld_per_processor"`
	P90      float64 `json:"p90_bsld_per_processor"`
	P95      float64 `json:"p95_bsld_per_processor"`
	P99      float64 `json:"p99_bsld_per_processor"`
	Max      float64 `json:"max_bsld_per_processor"`
	SD       float64 `json:"sd_bsld_per_processor"`
	AreaMean float64 `json:"area_mean_bsld_per_processor"`
}

// Measures describes some jobs by each measure. In JSON all numbers are fields of one object.
type Measures struct {
	Counted int `json:"counted_jobs"`
	Wait
	Response
	BoundedSlowdown
	JacksonSlowdown
	PerProcessorSlowdown
}

// Class describes the counted jobs of one class. A class without jobs has no entry.
type Class struct {
	Label string `json:"class"` // "4-7" nodes, or "<10 min"
	Measures
}

// ShapeCount is a bin of [Shapes]: how many jobs have such a size and run time.
type ShapeCount struct {
	Nodes   string `json:"nodes"`       // "2-3"
	Seconds string `json:"run_seconds"` // "32-63", or "below 1"
	Jobs    int    `json:"jobs"`
}

// Summary describes a run. The package comment defines each number. Undefined numbers are null in
// JSON.
type Summary struct {
	Trim      string         `json:"trim"` // which jobs are counted
	Submitted int            `json:"submitted_jobs"`
	Done      int            `json:"done_jobs"`
	Excluded  map[string]int `json:"excluded_jobs"` // by reason

	Measures
	BySize []Class `json:"by_size"`
	ByRun  []Class `json:"by_run"`

	ModeShape ShapeCount `json:"mode_shape"` // the bin with the most of all submitted jobs

	ModeCeilJackson int64   `json:"mode_ceil_sjackson"`
	NearOneShare    float64 `json:"share_sjackson_below_1_01"`

	Makespan        float64  `json:"makespan_seconds"`
	Utilisation     float64  `json:"utilisation"`
	SpanUtilisation *float64 `json:"span_utilisation"` // undefined if all jobs were submitted at once
	Throughput      float64  `json:"throughput_jobs_per_hour"`
	MeanQueue       float64  `json:"mean_queue_jobs"`
	MaxQueue        int      `json:"max_queue_jobs"`
	IdleWaiting     float64  `json:"idle_while_waiting_node_seconds"`

	Users         int      `json:"users"`           // that the log names
	JainUsers     *float64 `json:"jain_users_bsld"` // undefined if it names none
	BSLDVariance  float64  `json:"variance_bsld"`
	MaxOverMedian *float64 `json:"max_over_median_wait"` // undefined if the median is 0
	Overtaken     float64  `json:"share_overtaken"`
}

package reptask

// Algorithm is one of the two that move idle jobs.
type Algorithm uint8

// The algorithms.
const (
	ByDLB Algorithm = iota // dynamic load balancing, Algorithm 1
	ByQB                   // queue balancing, Algorithm 2
)

// Moves says which algorithms have moved a job. None of them moves it twice.
type Moves [2]bool

// MayMove reports whether an algorithm may move a job: once, or with Config.MoveEach if it has not
// moved it before.
func (c *Config) MayMove(m Moves, by Algorithm) bool {
	if c.MoveEach {
		return !m[by]
	}
	return m == Moves{}
}

// String names the algorithm.
func (a Algorithm) String() string { return [...]string{"DLB", "QB"}[a&1] }

// String says which algorithms have moved the job.
func (m Moves) String() string {
	switch m {
	case Moves{ByDLB: true}:
		return "moved"
	case Moves{ByQB: true}:
		return "moved by QB"
	case Moves{true, true}:
		return "moved by each"
	}
	return "not moved"
}

package central

import "github.com/canvass-grid/canvass/scheduler"

// history predicts run times as EASY++ does (Tsafrir, Etsion and Feitelson 2007): by the mean of
// the last two jobs of the same user that have ended.
type history map[int64]lastTwo

type lastTwo struct {
	runs  [2]int64 // the older one first
	ended int      // at most 2
}

func (h history) add(j *scheduler.Job) {
	if j.User < 0 {
		return // jobs of unknown users are not jobs of one user
	}
	l := h[j.User]
	h[j.User] = lastTwo{[2]int64{l.runs[1], j.RunMicros}, min(2, l.ended+1)}
}

// predict returns the mean, at least a second and at most the user's estimate. It returns the
// user's estimate for a user with fewer than two jobs that have ended.
func (h history) predict(j *scheduler.Job, estimate int64) int64 {
	l := h[j.User]
	if l.ended < 2 {
		return estimate
	}
	return min(estimate, max(scheduler.Second, (l.runs[0]+l.runs[1])/2))
}

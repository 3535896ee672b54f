package tasks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// How the task of a rank ended, as users see it.
func TestStatusesOfTasks(t *testing.T) {
	for _, test := range []struct {
		status muster.Status
		reason muster.Reason
		want   jobs.Status
	}{
		{status: muster.Status{Code: 3}, want: jobs.Status{Code: 3}},
		{status: muster.Status{Signal: 9, Halted: true}, want: jobs.Status{Signal: 9, Halted: true}},
		{status: muster.Status{Cause: muster.Unfit}, want: jobs.Status{Unfit: true, Error: "the host cannot start it"}},
		{status: muster.Status{Cause: muster.Lost}, want: jobs.Status{Lost: true, Error: "its host has lost it"}},
		{
			status: muster.Status{Cause: muster.Unkept},
			want:   jobs.Status{Unkept: true, Error: "not all outputs could be kept"},
		},
		{status: muster.Status{Cause: muster.Unrun}, want: jobs.Status{Halted: true}},
		{
			status: muster.Status{Cause: muster.Unrun}, reason: muster.Refused,
			want: jobs.Status{Halted: true, Error: "the attempt had no permit"},
		},
	} {
		assert.Equal(t, test.want, statusOf(test.status, test.reason), "%+v", test.status)
	}
}

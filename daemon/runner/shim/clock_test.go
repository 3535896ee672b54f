//go:build linux

package shim_test

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

const (
	clockWait  = 50 * time.Millisecond
	clockLimit = 5 * time.Second // to start a process that waits for so long
	clockAhead = 1000 * time.Second
)

// TestTheClockGoesOnDuringSuspend demands that deadlines count by CLOCK_BOOTTIME. A machine that
// was suspended has it ahead of CLOCK_MONOTONIC; a time namespace shows the same without a suspend.
func TestTheClockGoesOnDuringSuspend(t *testing.T) {
	assert.Equal(t, unix.CLOCK_BOOTTIME, shim.Clock)

	ctx, cancel := context.WithTimeout(t.Context(), clockLimit)
	defer cancel()
	ahead := []string{"--user", "--map-root-user", "--fork", "--kill-child", "--time", "--boottime",
		fmt.Sprint(int(clockAhead.Seconds()))}
	if err := exec.CommandContext(ctx, "unshare", append(ahead, "true")...).Run(); err != nil {
		t.Skip("this machine has no time namespaces: ", err)
	}
	out, err := exec.CommandContext(ctx, "unshare", append(ahead, self(), "clock")...).Output()
	require.NoError(t, err, "it waits for its deadline by another clock")
	var began, ended time.Duration
	_, err = fmt.Fscan(strings.NewReader(string(out)), &began, &ended)
	require.NoError(t, err)
	assert.InDelta(t, (shim.Boottime() + clockAhead).Seconds(), began.Seconds(), clockLimit.Seconds())
	assert.GreaterOrEqual(t, ended-began, clockWait)
}

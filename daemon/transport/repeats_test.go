package transport

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A node that tries all the time does not fill the log, and hides no other reason.
func TestRepeatsAreLoggedNowAndThen(t *testing.T) {
	var s repeats
	lines, skipped := 0, 0
	for now := time.Hour; now < time.Hour+time.Minute; now += 100 * time.Millisecond {
		if logged, missing := s.tells("certificate", now, 10*time.Second); logged {
			lines, skipped = lines+1, skipped+missing
		}
	}
	assert.Equal(t, 6, lines)
	assert.Equal(t, 5*99, skipped)
	logged, missing := s.tells("grid", time.Hour+time.Minute, 10*time.Second)
	assert.True(t, logged)
	assert.Zero(t, missing)
}

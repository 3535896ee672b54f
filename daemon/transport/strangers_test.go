package transport

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A stranger that tries all the time does not fill the log, and hides no other reason.
func TestStrangersAreLoggedNowAndThen(t *testing.T) {
	var s strangers
	lines, skipped := 0, 0
	for now := time.Hour; now < time.Hour+time.Minute; now += 100 * time.Millisecond {
		if logged, missing := s.tells(ReasonCertificate, now); logged {
			lines, skipped = lines+1, skipped+missing
		}
	}
	assert.Equal(t, 6, lines)
	assert.Equal(t, 5*99, skipped)
	logged, missing := s.tells(ReasonGrid, time.Hour+time.Minute)
	assert.True(t, logged)
	assert.Zero(t, missing)
}

package daemon_test

import (
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/cmd/canvass/daemon"
)

// What comes at once is one signal, and what comes later is another one.
func TestASignalThatComesTwiceAtOnceIsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals, done := make(chan os.Signal, 2), false
		signals <- os.Interrupt
		go func() {
			daemon.Repeated(signals)
			done = true
		}()
		time.Sleep(time.Second)
		synctest.Wait()
		assert.False(t, done)
		signals <- os.Interrupt
		synctest.Wait()
		assert.True(t, done)
	})
}

package client_test

import (
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
)

// Signals that come at once count as one, and a later one counts as another.
func TestASignalThatComesTwiceAtOnceIsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals, done := make(chan os.Signal, 2), false
		signals <- os.Interrupt
		go func() {
			client.Repeated(signals)
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

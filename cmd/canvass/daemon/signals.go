package daemon

import (
	"os"
	"time"
)

// oneSignal is how long signals count as one: timeout(1) sends the same to a process and to its
// group.
const oneSignal = 300 * time.Millisecond

// repeated waits until a signal comes that is not the one before.
func repeated(signals <-chan os.Signal) {
	for same := time.After(oneSignal); ; {
		select {
		case <-signals:
		case <-same:
			<-signals
			return
		}
	}
}

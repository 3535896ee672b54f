package checker

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
)

// ErrNested is returned by [Check] if a function of a model that is being checked has called it.
// Such a function would be called by the second check in turn, and so on.
var ErrNested = errors.New("checker: Check is called by a function of a model that is being checked; " +
	"check the other model before, and let the function use the result")

// mostChecks bounds the checks that run at once in this process. A function that starts a check in
// another goroutine, and waits for it, is noticed by that.
const mostChecks = 256

var checksRunning atomic.Int64

// isWithinCheck reports whether this goroutine is calling a function of a model.
func isWithinCheck() bool {
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		if n == 0 {
			return false
		}
		for frames := runtime.CallersFrames(pcs[:n]); ; {
			frame, more := frames.Next()
			if strings.HasSuffix(frame.Function, "/checker.(*workerPool).one") {
				return true
			}
			if !more {
				break
			}
		}
	}
}

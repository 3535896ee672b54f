package api_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain does not await the half second for which net/http keeps a connection whose request it
// has not read to its end.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

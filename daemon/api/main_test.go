package api_test

import (
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// TestMain does not await the half second for which net/http keeps a connection whose request it
// has not read to its end.
func TestMain(m *testing.M) {
	if does, socket, is := strings.Cut(os.Getenv("API_TEST"), " "); is {
		other(does, socket)
		return
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

package transport_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// TestMain lets property tests take 25 examples unless the command line says otherwise, since an
// example makes dozens of handshakes.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

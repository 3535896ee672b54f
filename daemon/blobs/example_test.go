package blobs_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/canvass-grid/canvass/daemon/blobs"
)

func Example() {
	folder, err := os.MkdirTemp("", "blobs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	s, err := blobs.Open(folder)
	if err != nil {
		panic(err)
	}
	digest, size, err := s.Put(strings.NewReader("hello"), "", 1<<20)
	fmt.Println(digest[:8], size, err, s.Has(digest))
	// Output: 2cf24dba 5 <nil> true
}

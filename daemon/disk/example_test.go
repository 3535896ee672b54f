package disk_test

import (
	"fmt"
	"os"

	"github.com/canvass-grid/canvass/daemon/disk"
)

func Example() {
	folder, err := os.MkdirTemp("", "disk")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)

	store, err := disk.Open(folder)
	if err != nil {
		panic(err)
	}
	defer store.Close()
	if err := store.Commit(disk.Put{Bucket: disk.Jobs, Key: []byte("job-1"), Value: []byte("a record")}); err != nil {
		panic(err)
	}
	record, err := store.Get(disk.Jobs, []byte("job-1"))
	fmt.Println(string(record), err)
	// Output: a record <nil>
}

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
	if err := store.Commit(disk.Put{Bucket: disk.Keys, Key: []byte("tuesday"), Value: []byte("job-1")}); err != nil {
		panic(err)
	}
	id, err := store.Get(disk.Keys, []byte("tuesday"))
	fmt.Println(string(id), err)
	// Output: job-1 <nil>
}

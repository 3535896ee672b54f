package trash_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/canvass-grid/canvass/daemon/trash"
)

func Example() {
	folder, err := os.MkdirTemp("", "trash")
	if err != nil {
		panic(err)
	}
	left := filepath.Join(folder, "left")
	if err := os.Mkdir(left, 0); err != nil {
		panic(err)
	}
	b, err := trash.Open(filepath.Join(folder, "bin"), func(name string, err error) { fmt.Println(name, "stays:", err) })
	if err != nil {
		panic(err)
	}
	fmt.Println(b.Drop(left))
	b.Close()
	fmt.Println(trash.Remove(folder))
	// Output:
	// <nil>
	// <nil>
}

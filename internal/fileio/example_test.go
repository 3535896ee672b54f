package fileio_test

import (
	"fmt"
	"syscall"

	"github.com/canvass-grid/canvass/internal/fileio"
)

func ExampleRemedy() {
	fmt.Println(fileio.Remedy(fmt.Errorf("write canvass.db: %w", syscall.EROFS)))
	// Output: mount its file system such that it can be written
}

func ExampleRegular() {
	_, _, err := fileio.Regular("/dev/null")
	fmt.Println(err)
	// Output: /dev/null is no regular file, but a device
}

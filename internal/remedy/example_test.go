package remedy_test

import (
	"fmt"
	"syscall"

	"github.com/canvass-grid/canvass/internal/remedy"
)

func Example() {
	fmt.Println(remedy.Of(fmt.Errorf("write canvass.db: %w", syscall.EROFS)))
	// Output: mount its file system such that it can be written
}

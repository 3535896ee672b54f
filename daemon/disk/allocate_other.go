//go:build !linux

package disk

import (
	"errors"
	"os"
)

// allocate is there for Linux only.
func allocate(*os.File, int64) error { return errors.ErrUnsupported }

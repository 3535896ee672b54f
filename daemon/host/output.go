package host

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/disk"
)

// lastLines is how many bytes of the error stream a record has of a task that failed.
const lastLines = 1 << 10

// OutputFile is where a daemon with this folder keeps a stream of an attempt.
func OutputFile(folder, attempt, stream string) string {
	return filepath.Join(folder, disk.Outputs, attempt+"."+stream)
}

// LastLines are the last lines of the error stream of a task.
func (m *Machine) LastLines(attempt string) string {
	f, info, err := OpenOutput(OutputFile(m.config.Folder, attempt, "stderr"))
	if err != nil {
		return ""
	}
	defer f.Close()
	last, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-lastLines), lastLines))
	if err != nil {
		return ""
	}
	text := strings.ToValidUTF8(string(last), "?")
	if _, rest, several := strings.Cut(text, "\n"); several && info.Size() > lastLines {
		text = rest
	}
	return strings.TrimRight(text, "\n")
}

// Forget removes the output of an attempt.
func (m *Machine) Forget(attempt string) error {
	for _, stream := range []string{"stdout", "stderr"} {
		if err := os.Remove(OutputFile(m.config.Folder, attempt, stream)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// OpenOutput opens the output of a task. The task can put something else in its place. That must
// not block the goroutine of the node, as a named pipe would, or lead to another file.
func OpenOutput(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("the task has put something that is no file in place of its output %s", path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

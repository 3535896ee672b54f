package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Find returns the file of a command without a slash: the first that can be executed in the
// absolute folders of a path. Relative ones do not count, as in package os/exec.
func Find(command, path string) (file string, ok bool) {
	for folder := range strings.SplitSeq(path, ":") {
		if !strings.HasPrefix(folder, "/") {
			continue
		}
		file := strings.TrimRight(folder, "/") + "/" + command
		info, err := os.Stat(file)
		if err == nil && !info.IsDir() && unix.Faccessat(unix.AT_FDCWD, file, unix.X_OK, unix.AT_EACCESS) == nil {
			return file, true
		}
	}
	return "", false
}

// lookUp finds the file of a task's command.
func lookUp(t Task) (string, error) {
	if len(t.Command) == 0 || t.Command[0] == "" {
		return "", commandError{errors.New("the task has no command")}
	}
	switch info, err := os.Stat(t.Dir); {
	case errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir():
		return "", fmt.Errorf("start %q: the working directory %q does not exist", t.Command[0], t.Dir)
	case err != nil:
		return "", fmt.Errorf("start %q: look at the working directory: %w", t.Command[0], err)
	}
	if strings.Contains(t.Command[0], "/") {
		return t.Command[0], nil
	}
	path := Path(t.Env)
	file, ok := Find(t.Command[0], path)
	if !ok {
		return "", commandError{fmt.Errorf("start %q: not found in PATH %q: %w", t.Command[0], path, fs.ErrNotExist)}
	}
	return file, nil
}

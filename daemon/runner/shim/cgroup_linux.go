package shim

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
)

// KillCgroup kills all processes of a cgroup.
func KillCgroup(folder string) error {
	return os.WriteFile(folder+"/cgroup.kill", []byte("1"), 0)
}

// LimitCgroup bounds the number of processes in a cgroup, if there they can be counted.
func LimitCgroup(folder string, processes uint64) error {
	err := os.WriteFile(folder+"/pids.max", strconv.AppendUint(nil, processes, 10), 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil // the cgroup is not delegated
	}
	return err
}

package shim

import "os"

// KillCgroup kills all processes of a cgroup.
func KillCgroup(folder string) error {
	return os.WriteFile(folder+"/cgroup.kill", []byte("1"), 0)
}

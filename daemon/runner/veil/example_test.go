//go:build linux

package veil_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// A thread hides a folder from a command, and ends with its goroutine.
func Example() {
	folder, err := os.MkdirTemp("", "veil")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := os.WriteFile(folder+"/key", []byte("secret"), 0o600); err != nil {
		panic(err)
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked
		err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
		if err == nil {
			err = veil.Hide(veil.Landlock, []string{folder}, "")
		}
		if err != nil {
			done <- nil // this kernel cannot do it
			return
		}
		if err := exec.Command("cat", folder+"/key").Run(); err == nil {
			done <- fmt.Errorf("the command can read the key")
			return
		}
		done <- nil
	}()
	fmt.Println(<-done)
	// Output:
	// <nil>
}

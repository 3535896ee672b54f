package host_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// The folder of a daemon has the key of the grid's authority, and nothing hides it from tasks.
func ExamplePolicy_Refusal() {
	p := host.Policy{HasKey: true}
	fmt.Println(strings.HasPrefix(p.Refusal(runner.Subreaper, veil.None, nil), "tasks could read the key"))
	p.AllowExposed = true
	fmt.Println(p.Refusal(runner.Subreaper, veil.None, nil) == "")
	// Output:
	// true
	// true
}

// OpenFolders removes the folders of earlier incarnations, and Clear removes that of an attempt.
func ExampleFolders() {
	folder, err := os.MkdirTemp("", "daemon")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := os.MkdirAll(filepath.Join(folder, disk.Work, "B-7"), 0o700); err != nil {
		panic(err)
	}
	folders := host.OpenFolders(folder, slog.Default())
	defer folders.Close()
	_, err = os.Stat(filepath.Join(folder, disk.Work, "B-7"))
	fmt.Println(os.IsNotExist(err))

	if err := os.MkdirAll(folders.Of("A-1"), 0o700); err != nil {
		panic(err)
	}
	folders.Clear("A-1")
	_, err = os.Stat(folders.Of("A-1"))
	fmt.Println(os.IsNotExist(err))
	// Output:
	// true
	// true
}

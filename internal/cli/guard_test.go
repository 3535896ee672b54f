package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/usage"
)

// names are ways to call the file a/data.csv, which exists, from the working folder.
func names(t *testing.T) map[string]string {
	t.Helper()
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.Mkdir("a", 0o755))
	require.NoError(t, os.WriteFile("a/data.csv", []byte("1"), 0o644))
	require.NoError(t, os.Symlink("data.csv", "a/link.csv"))
	require.NoError(t, os.Symlink("link.csv", "a/second.csv"))
	require.NoError(t, os.Link("a/data.csv", "hard.csv"))
	require.NoError(t, os.Symlink("a", "folder"))
	return map[string]string{
		"as it is":                 "a/data.csv",
		"not cleaned":              "./a/../a/data.csv",
		"absolute":                 filepath.Join(here, "a", "data.csv"),
		"by a symbolic link":       "a/link.csv",
		"by two symbolic links":    "a/second.csv",
		"by a hard link":           "hard.csv",
		"through a linked folder":  "folder/data.csv",
		"through a folder, linked": "folder/link.csv",
	}
}

func TestAnOutputIsNoInput(t *testing.T) {
	for how, path := range names(t) {
		t.Run(how, func(t *testing.T) {
			var clash *usage.Error
			g := &cli.Guard{}
			require.NoError(t, g.Reads("", "a/data.csv"))
			require.NoError(t, g.Reads("", path), "two inputs may be one file")
			require.ErrorAs(t, g.Writes("--out", path), &clash)
			assert.Equal(t, "--out "+path+" is the same file as a/data.csv, which is read; choose another output",
				clash.Error())

			g = &cli.Guard{}
			require.NoError(t, g.Writes("--out", path))
			require.EqualError(t, g.Reads("", "a/data.csv"), clash.Error(), "an input that is named late")
			require.EqualError(t, g.Writes("--html", "a/data.csv"),
				"--html a/data.csv is the same file as --out "+path+", which is written too; choose another one")
		})
	}
}

func TestOutputsThatAreNotThereYet(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("a", 0o755))
	require.NoError(t, os.Symlink("a", "folder"))
	require.NoError(t, os.Symlink("new.csv", "a/link.csv"))
	for _, path := range []string{"a/new.csv", "./a//new.csv", "folder/new.csv", "a/link.csv", "folder/link.csv"} {
		g := &cli.Guard{}
		require.NoError(t, g.Writes("--out", "a/new.csv"))
		require.Error(t, g.Writes("--html", path), path)
		require.NoError(t, g.Writes("--html", "a/other.csv"))
		require.NoError(t, g.Reads("", "a/missing/new.csv"))
		require.NoError(t, g.Writes("--junit", ""), "a flag that is not given")
	}
	require.NoError(t, os.Symlink("loop", "loop"))
	require.NoError(t, (&cli.Guard{}).Writes("--out", "loop"))
}

func TestFoldersOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("out", 0o755))
	require.NoError(t, os.WriteFile("plan.json", nil, 0o644))
	require.NoError(t, os.Symlink("../plan.json", "out/run.itf.json"))

	g := &cli.Guard{}
	require.NoError(t, g.Reads("--plan", "plan.json"))
	require.EqualError(t, g.Fills("--trace-dir", "out", "*.itf.json"), "--trace-dir out is a folder where a file "+
		"would take the place of --plan plan.json, which is read; choose another output")
	require.NoError(t, g.Fills("--trace-dir", "out", "*.csv"))
	require.NoError(t, g.Fills("--trace-dir", "fresh", "*.itf.json"))

	g = &cli.Guard{}
	require.NoError(t, g.Fills("--trace-dir", "out", "*.itf.json"))
	require.NoError(t, g.Fills("--finding-dir", "out", "*.plan.json"), "two folders may be one")
	require.EqualError(t, g.Writes("--junit", "out/x.itf.json"), "--junit out/x.itf.json is among the files of "+
		"--trace-dir out, which is written too; choose another one")
	require.NoError(t, g.Writes("--junit", "out/junit.xml"))
	require.NoError(t, g.Writes("--html", "out/deep/x.itf.json"))
	require.Error(t, g.Reads("", "plan.json"))
}

func TestStreams(t *testing.T) {
	t.Chdir(t.TempDir())
	file, err := os.Create("log.txt")
	require.NoError(t, err)
	defer file.Close()

	g := cli.NewGuard(file, file)
	require.EqualError(t, g.Writes("--junit", "log.txt"),
		"--junit log.txt is the same file as standard output, which is written too; choose another one")
	require.EqualError(t, g.Reads("", "log.txt"),
		"standard output is the same file as log.txt, which is read; choose another output")
	require.EqualError(t, g.Stdin(file),
		"standard output is the same file as standard input, which is read; choose another output")

	g = &cli.Guard{}
	require.NoError(t, g.Stdin(file))
	require.Error(t, g.Writes("--out", "log.txt"))

	g = cli.NewGuard(nil, nil)
	require.NoError(t, g.Writes("--out", os.DevNull))
	require.NoError(t, g.Writes("--html", os.DevNull), "nothing is lost in a device")
	require.NoError(t, (*cli.Guard)(nil).Reads("", "log.txt"))
}

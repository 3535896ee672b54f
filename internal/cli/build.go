package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// Build is the version of the program.
type Build struct {
	Schema   int    `json:"schema"`
	Version  string `json:"version"`  // of the module
	Commit   string `json:"commit"`   // of its source, with "+changes" if there were any
	Modified bool   `json:"modified"` // the source was not as committed
	Go       string `json:"go"`
}

const (
	unknown     = "unknown"
	notRecorded = "not-recorded" // the commit of a program that was built without version control
)

// commit is set by the linker where the build ignores version control (-buildvcs=false), as "make
// build" does.
var commit string

// ThisBuild is the version of this program.
func ThisBuild() Build {
	b := Build{Schema: Schema, Version: unknown, Commit: unknown, Go: unknown}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Go = info.GoVersion
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	if b.Modified {
		b.Commit += "+changes"
	}
	return b.withCommit(commit)
}

// withCommit falls back on the commit of the linker, and then on the version of the module, which
// names the source of a program installed with "go install".
func (b Build) withCommit(linked string) Build {
	switch {
	case b.Commit != unknown:
	case linked != "":
		b.Commit, b.Modified = linked, strings.HasSuffix(linked, "+changes")
	case b.Version != unknown && b.Version != "(devel)":
		b.Commit = b.Version
	default:
		b.Commit = notRecorded
	}
	return b
}

// Program identifies this program: by its commit or, if other programs may have the same one, by
// the commit and a digest of the program.
func (b Build) Program() string {
	if b.Commit != notRecorded && b.Commit != unknown && !b.Modified {
		return b.Commit
	}
	if digest := programDigest(); digest != "" {
		return b.Commit + "#" + digest
	}
	return b.Commit
}

// programDigest is a digest of the file of this program, or "" if that cannot be read.
var programDigest = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
})

// String is the version in a line.
func (b Build) String() string {
	return fmt.Sprintf("canvass %s, commit %s, %s", b.Version, b.Commit, b.Go)
}

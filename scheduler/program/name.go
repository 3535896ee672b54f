package program

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
)

// prefix begins the names of policies that are programs.
const prefix = "exec:"

// suffix ends a name that has a digest.
var suffix = regexp.MustCompile(`@[0-9a-f]{16}$`)

// Policy describes the policy with a name, if that is the name of a program. Each job has an
// estimate then, since a program may count on it.
func (System) Policy(name string) (p scheduler.Policy, is bool) {
	if !strings.HasPrefix(name, prefix) {
		return p, false
	}
	return scheduler.Policy{Name: name, Rule: "the program decides", Estimates: true}, true
}

// Resolve adds the digest of the program to the name of a policy. A digest that is already in the
// name must be that of the program. Names of other policies stay as they are.
func Resolve(name string) (string, error) {
	if !strings.HasPrefix(name, prefix) {
		return name, nil
	}
	words, want := parse(name)
	if len(words) == 0 {
		return "", usage.Errorf("policy %q names no program; write exec:./mine.py", name)
	}
	is, err := digest(words)
	if err != nil {
		return "", usage.Errorf("policy %q: %v; name an existing program, with its folder: exec:./mine.py",
			name, err)
	}
	if want != "" && want != is {
		return "", usage.Errorf("policy %q: the program has changed, its digest is %s now; leave out @%s to run it as it "+
			"is, or bring the former one back", name, is, want)
	}
	return prefix + strings.Join(words, " ") + "@" + is, nil
}

// parse splits a name into the words of the command and the digest, which may be missing.
func parse(name string) (words []string, digest string) {
	text := strings.TrimPrefix(name, prefix)
	digest = suffix.FindString(text)
	return strings.Fields(strings.TrimSuffix(text, digest)), strings.TrimPrefix(digest, "@")
}

// Files lists the files that a policy reads: each word of the name that is a file, or otherwise the
// program in the search path.
func Files(name string) []string {
	if !strings.HasPrefix(name, prefix) {
		return nil
	}
	words, _ := parse(name)
	return files(words)
}

func files(words []string) []string {
	var all []string
	for i, word := range words {
		if i == 0 && !strings.Contains(word, "/") {
			continue // it is looked up in the search path
		}
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
			all = append(all, word)
		}
	}
	if len(all) == 0 && len(words) > 0 {
		if path, err := exec.LookPath(words[0]); err == nil {
			all = append(all, path)
		}
	}
	return all
}

// digest is the first 16 hexadecimal digits of the SHA-256 of the files, one after the other.
func digest(words []string) (string, error) {
	sum := sha256.New()
	if _, err := exec.LookPath(words[0]); err != nil {
		return "", cmp.Or(executable(words[0]), err)
	}
	for _, path := range files(words) {
		f, _, err := fileio.Regular(path)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(sum, f)
		if closing := f.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// executable says why an existing file cannot be run.
func executable(path string) error {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s may not be executed: chmod +x %s", path, path)
	}
	return nil
}

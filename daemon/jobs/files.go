package jobs

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
)

// File is a file of a job: an input, or an output of a rank.
type File struct {
	Path   verbatim.Text `json:"path"`             // in the working folder, with slashes
	Digest string        `json:"sha256,omitempty"` // of the content, in hexadecimal
	Size   int64         `json:"size"`             // bytes
	Mode   fs.FileMode   `json:"mode"`             // permissions
	Link   verbatim.Text `json:"link,omitempty"`   // of a symbolic link: its target; it is never followed
}

// Unkept is an output that could not be kept, and why. The path of a folder ends with a slash.
type Unkept struct {
	Path verbatim.Text `json:"path"`
	Why  string        `json:"why"`
}

// unkeptLimit is how many outputs that could not be kept a record names, and remarkLimit how many
// remarks it has.
const (
	unkeptLimit = 20
	remarkLimit = 5
	whyLimit    = 200 // bytes
)

// noteLimit is how many bytes of other nodes' notes a record holds.
const noteLimit = 2 << 10

func shortened(text string) string {
	if len(text) > noteLimit {
		return strings.ToValidUTF8(text[:noteLimit], "") + "…"
	}
	return text
}

// Miss notes that an output could not be kept.
func (r *Rank) Miss(name, why string) {
	if len(why) > whyLimit {
		why = strings.ToValidUTF8(why[:whyLimit], "") + "…"
	}
	if len(r.Unkept) < unkeptLimit {
		r.Unkept = append(r.Unkept, Unkept{verbatim.Text(name), why})
	} else {
		r.UnkeptMore++
	}
	r.Problem = fmt.Sprintf("output %q is not kept: %s", string(r.Unkept[0].Path), r.Unkept[0].Why)
	switch more := len(r.Unkept) + r.UnkeptMore - 1; {
	case more == 1:
		r.Problem += "; nor is 1 other"
	case more > 1:
		r.Problem += fmt.Sprintf("; nor are %d others", more)
	}
}

// Remark notes what a user may miss among the outputs.
func (r *Rank) Remark(text string) {
	switch {
	case len(r.Remarks) < remarkLimit:
		r.Remarks = append(r.Remarks, text)
	case len(r.Remarks) == remarkLimit:
		r.Remarks = append(r.Remarks, "and more")
	}
}

// Lacks reports whether an output may be missing that is meant by a pattern.
func (r *Rank) Lacks(pattern string, name func(path string) string) bool {
	if r.Problem != "" && len(r.Unkept) == 0 || r.UnkeptMore > 0 {
		return true // not all are named
	}
	return slices.ContainsFunc(r.Unkept, func(u Unkept) bool {
		if folder, is := strings.CutSuffix(string(u.Path), "/"); is {
			return MayHold(pattern, name(folder))
		}
		return Matches(pattern, name(string(u.Path)))
	})
}

// Limits of the files of a job.
const (
	FilesLimit = 1000     // inputs, and outputs of a rank
	FileLimit  = 16 << 30 // bytes of one
)

// check reports what is wrong with a regular file.
func (f *File) check() error {
	if f.Link != "" {
		return specf("file %q is no regular file", f.Path)
	}
	return f.CheckOutput()
}

// CheckOutput reports what is wrong with an output, which is a regular file or a link.
func (f *File) CheckOutput() error {
	switch name := string(f.Path); {
	case !filepath.IsLocal(name) || path.Clean(name) != name || name == ".":
		return specf("file %q; want a name within the working folder", f.Path)
	case f.Link == "" && !blobs.IsDigest(f.Digest), f.Link != "" && f.Digest != "":
		return specf("file %q has the digest %q; want 64 hexadecimal digits", f.Path, f.Digest)
	case f.Size < 0 || f.Size > FileLimit:
		return specf("file %q has %d bytes; %d are the limit", f.Path, f.Size, int64(FileLimit))
	case f.Mode&^fs.ModePerm != 0:
		return specf("file %q is no regular file", f.Path)
	}
	return nil
}

func (s *Spec) checkFiles() error {
	if len(s.Inputs) > FilesLimit || len(s.Outputs) > FilesLimit {
		return specf("%d inputs and %d patterns of outputs; %d are the limit: put files into an archive",
			len(s.Inputs), len(s.Outputs), FilesLimit)
	}
	seen := map[verbatim.Text]bool{}
	for i := range s.Inputs {
		if err := s.Inputs[i].check(); err != nil {
			return err
		}
		if name := s.Inputs[i].Path; seen[name] {
			return specf("two inputs are called %q", name)
		}
		seen[s.Inputs[i].Path] = true
	}
	for _, pattern := range s.Outputs {
		if err := CheckPattern(pattern); err != nil {
			return err
		}
	}
	if s.Stdin != "" && !blobs.IsDigest(s.Stdin) {
		return specf("standard input with the digest %q; want 64 hexadecimal digits", s.Stdin)
	}
	if s.Stdin != "" && s.Tasks > 1 {
		return specf("standard input for %d tasks; only a job of one task can read it", s.Tasks)
	}
	return nil
}

// CheckPattern reports what is wrong with a pattern of files: names separated by slashes, with
// those of path.Match, and ** for any number of folders.
func CheckPattern(pattern string) error {
	if !filepath.IsLocal(pattern) {
		return keyf("outputs", "pattern %q; want one within the folder", pattern)
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return keyf("outputs", "pattern %q: %w", pattern, err)
	}
	return nil
}

// special are the characters of a pattern, and the one between FROM and TO, that a backslash makes
// part of a name.
const special = `*?[\:`

// Escape returns a pattern that means one name.
func Escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if strings.IndexByte(special, name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// Unescape is the inverse of Escape.
func Unescape(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}

// IsPattern reports whether a text is a pattern that may mean several names.
func IsPattern(text string) bool { return bare(text, "*?[") >= 0 }

// bare returns where the first of some characters is that has no backslash before it, or -1.
func bare(text, some string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.IndexByte(some, text[i]) >= 0:
			return i
		}
	}
	return -1
}

// CutInput splits an input of a command line, FROM or FROM:TO. From is a pattern, and To a name.
func CutInput(text string) (from, to string, err error) {
	from = text
	if colon := bare(text, ":"); colon >= 0 {
		from, to = text[:colon], Unescape(text[colon+1:])
	}
	if _, err := path.Match(from, ""); err != nil || from == "" {
		return "", "", specf(
			"input %q; want FROM or FROM:TO, with a \\ before each of * ? [ \\ : that is part of a name", text)
	}
	if !filepath.IsLocal(cmp.Or(strings.TrimSuffix(to, "/"), ".")) {
		return "", "", specf("input %q; want a name within the working folder after the colon", text)
	}
	return from, to, nil
}

// MayHold reports whether files in a folder may be meant by a pattern.
func MayHold(pattern, folder string) bool {
	pattern = path.Clean(pattern)
	if pattern == "." || folder == "." {
		return true
	}
	parts := strings.Split(pattern, "/")
	for _, name := range strings.Split(folder, "/") {
		if len(parts) == 0 || parts[0] == "**" {
			return true
		}
		if ok, err := path.Match(parts[0], name); err != nil || !ok {
			return false
		}
		parts = parts[1:]
	}
	return true
}

// Matches reports whether a file is meant by a pattern. A folder means all that is in it.
func Matches(pattern, name string) bool {
	pattern = path.Clean(pattern)
	return pattern == "." || matches(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

// matches looks, for one part of the pattern after the other, how much of the name the parts so far
// can stand for. So it takes no longer than their lengths multiplied, however many ** there are.
func matches(pattern, name []string) bool {
	stands := make([]bool, len(name)+1) // stands[i]: the parts so far can match i folders of the name
	stands[0] = true
	for _, part := range pattern {
		next := make([]bool, len(name)+1)
		for n, is := range stands {
			switch {
			case part == "**":
				next[n] = is || n > 0 && next[n-1]
			case is && n < len(name):
				ok, err := path.Match(part, name[n])
				next[n+1] = ok && err == nil
			}
		}
		stands = next
	}
	return slices.Contains(stands, true) // the rest of the name lies in the folder
}

package lab

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/generate"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// source reads or makes jobs, before any selection. The result is shared and must not be changed.
func (l *Lab) source(s *jobSource, seed uint64) (*scheduler.Workload, error) {
	if s.generator != "" {
		w, err := generate.Parse(s.generator, seed)
		return w, asUsage(err)
	}
	return l.readLog(l.find(s.log), s.cleaning)
}

// logOf splits the text of a workload into the format of a log and its path: "gwf:FILE", or "FILE"
// with the ending of the format. A text with neither names a generator.
func logOf(workload string) (format, path string, isLog bool) {
	for _, f := range swf.Formats() {
		if path, ok := strings.CutPrefix(workload, f.Name+":"); ok {
			return f.Name, path, true
		}
	}
	format = formatOf(workload)
	return format, workload, format != ""
}

// formatOf is the format that the ending of a file names, or "".
func formatOf(name string) string {
	for _, f := range swf.Formats() {
		if strings.HasSuffix(strings.TrimSuffix(name, ".gz"), f.Ending) {
			return f.Name
		}
	}
	return ""
}

// logsLike says which logs a path may have meant that is not there: those beside it, and those of
// the folder of data.
func (l *Lab) logsLike(path string) string {
	name := filepath.Base(path)
	folders := []string{filepath.Dir(path)}
	if within, err := filepath.Rel(l.Data, path); err == nil && l.Data != "" {
		folders = append(folders, filepath.Dir(within)) // where it was looked for first
	}
	var part, all []string
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // a folder that is not there has no logs to propose
		}
		for _, e := range entries {
			if formatOf(e.Name()) == "" || slices.Contains(all, e.Name()) {
				continue
			}
			all = append(all, e.Name())
			if strings.Contains(strings.ToLower(e.Name()), strings.ToLower(name)) {
				part = append(part, e.Name())
			}
		}
	}
	if len(part) == 0 {
		part = usage.Nearest(name, all)
	}
	switch {
	case 0 < len(part) && len(part) <= mostProposed:
		return usage.Question(part, all)
	case l.Data == "":
		return "name the folder that holds it with --data or CANVASS_DATA"
	case 0 < len(all) && len(all) <= mostListed:
		return "the logs that can be found are " + strings.Join(all, ", ")
	}
	return fmt.Sprintf("the folder of data, %s, has %d other logs", l.Data, len(all))
}

// mostListed bounds the logs that an error lists if no name is similar to the given one.
const mostListed = 20

// mostProposed bounds the names that an error proposes.
const mostProposed = 3

// find returns the path of a log: as it is, or in the folder of data.
func (l *Lab) find(name string) string {
	if _, err := os.Stat(name); err != nil && l.Data != "" && !filepath.IsAbs(name) {
		return filepath.Join(l.Data, name)
	}
	return name
}

// mostLogs bounds the logs that stay in memory: a large one takes 50 MB.
const mostLogs = 4

// readLog reads a log, or returns it as it was read before with the same options.
func (l *Lab) readLog(path string, o swf.Options) (*scheduler.Workload, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	key := fmt.Sprintf("%s %+v", path, o)
	if w := l.logs[key]; w != nil {
		return w, nil
	}
	if err := l.reads(path); err != nil {
		return nil, err
	}
	w, _, err := swf.ReadFile(path, o)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s; %s", ErrNoData, path, l.logsLike(path))
	}
	if err != nil {
		return nil, err
	}
	if l.logs == nil || len(l.logs) >= mostLogs {
		l.logs = map[string]*scheduler.Workload{}
	}
	l.logs[key] = w
	return w, nil
}

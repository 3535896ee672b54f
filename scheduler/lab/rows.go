package lab

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/internal/usage"
)

// RowsFile is the name of the file of rows in a folder of results.
const RowsFile = "rows.ndjson"

// maxRows bounds a file of rows, in bytes.
const maxRows = 4 << 30

// Rows is a file of rows, one JSON object a line. Each row is written as its run ends, so an
// interrupt loses no finished run.
type Rows struct {
	file  *os.File
	all   []*Row
	byKey map[string]*Row // the last of each key
}

// OpenRows opens the file of rows in a folder, or makes both. A last line that was cut off by the
// death of a process is removed.
func OpenRows(folder string) (*Rows, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of results: %w; choose another --out", err)
	}
	path := filepath.Join(folder, RowsFile)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open the rows: %w", err)
	}
	if _, err := fileio.MustBeRegular(file); err != nil {
		return nil, errors.Join(fmt.Errorf("open the rows: %w", err), file.Close())
	}
	rows := &Rows{file: file, byKey: map[string]*Row{}}
	if err := rows.load(path); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return rows, nil
}

func (r *Rows) load(path string) error {
	text, err := io.ReadAll(r.file)
	if err != nil {
		return fmt.Errorf("read the rows: %w", err)
	}
	plain, err := fileio.TextOf(text, maxRows)
	if err == nil && !bytes.HasSuffix(text, plain) {
		err = errors.New("the file is packed, so no rows can be added; unpack it")
	}
	if err != nil {
		return fmt.Errorf("read the rows of %s: %w", path, err)
	}
	if cut := len(text) - (bytes.LastIndexByte(text, '\n') + 1); cut > 0 {
		whole := int64(len(text) - cut)
		if err := r.file.Truncate(whole); err != nil {
			return fmt.Errorf("remove a line of %s that was cut off: %w", path, err)
		}
		if _, err := r.file.Seek(whole, io.SeekStart); err != nil {
			return err
		}
		plain = plain[:max(0, len(plain)-cut)]
	}
	all, err := decodeRows(path, plain)
	if err != nil {
		return err
	}
	for _, row := range all {
		r.note(row)
	}
	return nil
}

// RowsIn is the file of rows that a path names: itself, or the one in that folder.
func RowsIn(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, RowsFile)
	}
	return path
}

// ReadRows reads the rows of a file, or of the folder that holds one.
func ReadRows(path string) ([]*Row, error) {
	path = RowsIn(path)
	text, err := fileio.ReadText(path, maxRows)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there are no rows in %s; canvass lab run or sweep writes them with --out", path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the rows: %w", err)
	}
	return decodeRows(path, text)
}

// DecodeRows reads rows from a stream, which errors call by the name.
func DecodeRows(name string, in io.Reader) ([]*Row, error) {
	text, err := io.ReadAll(fileio.Text(in))
	if err != nil {
		return nil, fmt.Errorf("read the rows of %s: %w", name, err)
	}
	return decodeRows(name, text)
}

func decodeRows(path string, text []byte) ([]*Row, error) {
	var all []*Row
	for n, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		row := &Row{}
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(row); err != nil {
			return nil, fmt.Errorf("%s:%d: not a row of this version: %w", path, n+1, fileio.JSONError(nil, err))
		}
		if row.Schema != RowSchema {
			return nil, fmt.Errorf("%s:%d: the row has schema %d, but this version has %d; run its cell again with "+
				"another --out", path, n+1, row.Schema, RowSchema)
		}
		if s := row.Share; s != nil && (s.Runs > mostRuns || s.Run < 0 || s.Run >= s.Runs || s.Shards < 1 ||
			s.Shard != s.Run%s.Shards+1) {
			return nil, usage.Errorf("%s:%d: run %d of %d in shard %d/%d makes no sense; run the shard again", path,
				n+1,
				s.Run, s.Runs, s.Shard, s.Shards)
		}
		row.complete()
		all = append(all, row)
	}
	return all, nil
}

// note keeps a row, in the place of an earlier one of the same run.
func (r *Rows) note(row *Row) {
	if earlier := r.byKey[row.Key()]; earlier != nil {
		*earlier = *row
		return
	}
	r.all = append(r.all, row)
	r.byKey[row.Key()] = row
}

// Has reports whether the row of a run is there.
func (r *Rows) Has(experiment string, c Cell, seed uint64) bool {
	return r.byKey[key(experiment, c, seed)] != nil
}

// OfAnother returns the build of a row that a program other than the given one may have written, or
// "".
func (r *Rows) OfAnother(commit string) string {
	for _, row := range r.all {
		if !isOneBuild(row.Commit, commit) {
			return cmp.Or(row.Commit, unnamed)
		}
	}
	return ""
}

// Mixed names the builds of the rows if there may be several, or returns "".
func (r *Rows) Mixed() string {
	var names []string
	for _, row := range r.all {
		if name := cmp.Or(row.Commit, unnamed); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(names) == 1 && isOneBuild(r.all[0].Commit, r.all[0].Commit) {
		return ""
	}
	return strings.Join(names, ", ")
}

// unnamed stands for a build without a name.
const unnamed = "without a name"

// vague are the names that many builds share: of those without version control, and of those with
// uncommitted changes. The command adds a digest of the program to such names.
var vague = []string{"", "unknown", "not-recorded", "+changes"}

// isOneBuild reports whether two names certainly mean the same build.
func isOneBuild(a, b string) bool {
	isVague := slices.ContainsFunc(vague, func(v string) bool { return a == v || v != "" && strings.HasSuffix(a, v) })
	return a == b && !isVague
}

// All returns the rows, in the order of the file.
func (r *Rows) All() []*Row { return r.all }

// Add writes a row. The formulas of an earlier row of the run are kept.
func (r *Rows) Add(row *Row) error {
	if earlier := r.byKey[row.Key()]; earlier != nil {
		row.keep(earlier)
	}
	text, err := json.Marshal(row)
	if err != nil {
		return err
	}
	if r.file != nil {
		if _, err := r.file.Write(append(text, '\n')); err != nil {
			return fmt.Errorf("write a row: %w", err)
		}
	}
	r.note(row)
	return nil
}

// Close closes the file.
func (r *Rows) Close() error {
	if r.file == nil {
		return nil
	}
	if err := r.file.Close(); err != nil {
		return fmt.Errorf("write the rows: %w", err)
	}
	return nil
}

// NoRows keeps rows in memory only.
func NoRows() *Rows { return &Rows{byKey: map[string]*Row{}} }

// Merge adds the rows of files, or of folders that hold one, each run once. It returns how many
// were added. Two rows of one run that differ are an error.
func Merge(into *Rows, paths []string) (added int, err error) {
	for _, path := range paths {
		rows, err := ReadRows(path)
		if err != nil {
			return added, err
		}
		n, err := into.Join(path, rows)
		added += n
		if err != nil {
			return added, err
		}
	}
	return added, nil
}

// Join adds rows of a source, which errors call by the name, as [Merge] does.
func (r *Rows) Join(name string, rows []*Row) (added int, err error) {
	for _, row := range rows {
		if other := r.byKey[row.Key()]; other != nil {
			if !row.same(other) {
				return added, usage.Errorf("%s: %q with seed %d has another result than before; run all shards with "+
					"one program", name, row.Settings.String(), row.Seed)
			}
			if other.Share == nil && row.Share != nil {
				if err := r.Add(row); err != nil {
					return added, err
				}
			}
			continue
		}
		if err := r.Add(row); err != nil {
			return added, err
		}
		added++
	}
	return added, nil
}

// same reports whether two rows are equal except for fields that may differ from run to run.
func (r *Row) same(other *Row) bool {
	plain := func(r *Row) string {
		c := *r
		c.Commit, c.Go, c.ElapsedSeconds, c.PeakBytes, c.Share, c.Formulas = "", "", 0, 0, nil, nil
		c.Header = nil // rows of former versions lack it, and the digest of the log says as much
		text, err := json.Marshal(c)
		if err != nil {
			panic(err) // a row is plain data
		}
		return string(text)
	}
	return plain(r) == plain(other)
}

package grid

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/given"
	"github.com/canvass-grid/canvass/internal/outputs"
	"github.com/canvass-grid/canvass/internal/wholefile"
)

// compressed writes through a buffer, and through gzip if asked to.
func compressed(f io.Writer, zipped bool, write func(io.Writer) error) error {
	out := bufio.NewWriter(f)
	if !zipped {
		if err := write(out); err != nil {
			return err
		}
		return out.Flush()
	}
	zip := gzip.NewWriter(out)
	if err := write(zip); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	return out.Flush()
}

// unzippedFile is a compressed file that is open.
type unzippedFile struct {
	*gzip.Reader
	file *os.File
}

// Close closes both.
func (u unzippedFile) Close() error { return errors.Join(u.Reader.Close(), u.file.Close()) }

func openFile(path string) (io.ReadCloser, error) {
	f, err := given.Open(path)
	if err != nil {
		return nil, err
	}
	if _, zipped := ending(path); !zipped {
		return f, nil
	}
	zip, err := gzip.NewReader(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return unzippedFile{zip, f}, nil
}

// guard knows the streams of the command. Each input and output is named to it before it is opened.
func (env Env) guard() *outputs.Guard { return outputs.New(env.Stdout, env.Stderr) }

// ready makes sure, before the work, that the file of a flag can be written and is none that the
// command reads or writes already. It makes its folder.
func ready(files *outputs.Guard, flag, path string, endings ...string) error {
	if path == "" {
		return nil
	}
	if err := files.Writes("--"+flag, path); err != nil {
		return err
	}
	if err := wholefile.Ready(path, endings...); err != nil {
		return cli.FileError("--"+flag, path, err)
	}
	return nil
}

package lab

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/given"
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
func (env Env) guard() *cli.Guard { return cli.NewGuard(env.Stdout, env.Stderr) }

package report

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"strings"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// Compressed writes through a buffer, and through gzip if asked to.
func Compressed(f io.Writer, zipped bool, write func(io.Writer) error) error {
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

// textFile is the text of a file that is open.
type textFile struct {
	io.Reader
	file *os.File
}

// Close closes the file.
func (t textFile) Close() error { return t.file.Close() }

func openFile(path string) (io.ReadCloser, error) {
	f, err := fileio.Open(path)
	if err != nil {
		return nil, err
	}
	return textFile{fileio.Text(f), f}, nil
}

// Ending returns the ending of a file's name, without that of a compression.
func Ending(path string) (kind string, zipped bool) {
	name, zipped := strings.CutSuffix(path, ".gz")
	for _, kind := range []string{"swf", "csv"} {
		if strings.HasSuffix(name, "."+kind) {
			return kind, zipped
		}
	}
	return "", zipped
}

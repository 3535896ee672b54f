package latency

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/sim"
)

// maxFile bounds a file, packed and unpacked. A matrix of MaxSites sites fits.
const maxFile = 1 << 28

// File is a file in any of the formats.
type File struct {
	Sites  sim.Sites
	Format string // matrix, pairs or coordinates
	Digest string // of its bytes, as plans name it
}

// ReadFile reads a file in any of the formats, optionally packed with gzip, under any name. A comma
// in a first line of words means pairs. A comment or the height of a point means coordinates. All
// else is a matrix.
func ReadFile(r io.Reader) (*File, error) {
	raw, err := limited(r)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	f := &File{Digest: hex.EncodeToString(sum[:])[:sim.DigestDigits]}
	text, err := fileio.TextOf(raw, maxFile)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	f.Format = formatOf(text)
	switch f.Format {
	case "pairs":
		f.Sites, err = ReadPairs(bytes.NewReader(text))
	case "coordinates":
		f.Sites, err = ReadCoordinates(bytes.NewReader(text))
	default:
		f.Sites, err = ReadMatrix(bytes.NewReader(text))
	}
	if err != nil {
		return nil, fmt.Errorf("read as %s: %w", f.Format, err)
	}
	return f, nil
}

func limited(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	case len(raw) > maxFile:
		return nil, fmt.Errorf("%w: longer than %d bytes", ErrFormat, maxFile)
	}
	return raw, nil
}

// formatOf looks at the first line. A comment means coordinates, since no other format has
// comments.
func formatOf(text []byte) string {
	line, _, _ := bytes.Cut(text[:min(len(text), maxLine)], []byte("\n"))
	fields := bytes.Fields(line)
	switch {
	case bytes.HasPrefix(line, []byte("#")), len(fields) > 3 && string(fields[3]) == "h":
		return "coordinates"
	case bytes.ContainsRune(line, ',') && bytes.ContainsAny(line, "abcdefghijklmnopqrstuvwxyz"):
		return "pairs" // otherwise the comma is in a number, which the reader of matrices refuses
	}
	return "matrix"
}

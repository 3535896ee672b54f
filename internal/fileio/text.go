package fileio

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// Text reads the text of a file, as editors and programs leave it: plain or packed with gzip, with
// a byte order mark of UTF-8 or without, its lines ended by LF or CR LF. The reader removes packing
// and mark, and leaves the rest as it is. Zeros after the packed data are ignored.
//
// Other contents end in a [TextError] that names them: other packings, UTF-16, lines that end with
// CR alone, damaged data. The text before the fault is returned first.
func Text(in io.Reader) io.Reader {
	return &textReader{in: bufio.NewReaderSize(in, textBuffer)}
}

// ReadText reads a text to its end. Neither the file nor its text may have more bytes than the
// limit.
func ReadText(name string, limit int64) ([]byte, error) {
	raw, err := Read(name, limit)
	if err != nil {
		return nil, err
	}
	text, err := TextOf(raw, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// TextOf is the text of the bytes of a file, as [Text] reads it.
func TextOf(raw []byte, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(Text(bytes.NewReader(raw)), limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("the unpacked text has more than %d bytes, the limit", limit)
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// TextError describes a file that is no text.
type TextError struct {
	What   string // "the text is in UTF-16"
	Want   string // "UTF-8 or ASCII"
	Remedy string
	Err    error // of unpacking, or nil
}

// Error is one line: the contents, the expectation and the remedy.
func (e *TextError) Error() string {
	because := ""
	if e.Err != nil {
		because = fmt.Sprintf(" (%v)", e.Err)
	}
	return fmt.Sprintf("%s, expected %s%s; %s", e.What, e.Want, because, e.Remedy)
}

// Unwrap returns the error of unpacking.
func (e *TextError) Unwrap() error { return e.Err }

// textBuffer is the number of bytes that are read at once.
const textBuffer = 1 << 16

// textReader implements [Text].
type textReader struct {
	in    *bufio.Reader // the file, and then its text
	begun bool
	cr    bool // the text so far ends with CR
	err   error
}

// Read implements [io.Reader].
func (t *textReader) Read(p []byte) (int, error) {
	if !t.begun {
		t.begun = true
		t.err = t.begin()
	}
	if t.err != nil {
		return 0, t.err
	}
	n, err := t.in.Read(p)
	if end := t.lineEnds(p[:n]); end >= 0 {
		n, err = end, &TextError{
			What: "a carriage return (CR) stands without a line feed (LF), as in files of old Macintoshes",
			Want: "lines that end with LF or CR LF", Remedy: `convert the file: tr '\r' '\n' < FILE > NEW`,
		}
	}
	t.err = err
	return n, err
}

// lineEnds returns the index of the first CR that ends no line, or -1. Several CRs before an LF are
// an end of a line too: some programs convert files twice.
func (t *textReader) lineEnds(text []byte) int {
	if len(text) == 0 {
		return -1
	}
	if t.cr && text[0] != '\n' && text[0] != '\r' {
		return 0
	}
	t.cr = false
	for at := 0; ; {
		next := bytes.IndexByte(text[at:], '\r')
		if next < 0 {
			return -1
		}
		bare := at + next
		for at = bare; at < len(text) && text[at] == '\r'; at++ {
		}
		switch {
		case at == len(text):
			t.cr = true
			return -1
		case text[at] != '\n':
			return bare
		}
	}
}

// begin recognises a file by its first bytes, and goes to the beginning of its text.
func (t *textReader) begin() error {
	first, err := t.in.Peek(mostMagic)
	if err != nil && err != io.EOF {
		return err
	}
	packed := bytes.HasPrefix(first, []byte(gzipMagic))
	if p := packingOf(first); p != nil && !packed {
		return &TextError{What: "the file is packed with " + p.name, Want: "plain text, or gzip", Remedy: p.remedy}
	}
	if packed {
		unpacked, err := gzip.NewReader(t.in)
		if err != nil {
			return unpacking(err)
		}
		unpacked.Multistream(false)
		t.in = bufio.NewReaderSize(&members{file: t.in, member: unpacked}, textBuffer)
	}
	// Reading the text repeats an error of Peek.
	if first, _ = t.in.Peek(mostHead); packed {
		if p := packingOf(first); p != nil {
			return &TextError{
				What: "the content is packed twice, with " + p.name + " and then with gzip",
				Want: "plain text, or gzip once", Remedy: "unpack it once: gzip -dc < FILE > NEW",
			}
		}
	}
	if bytes.HasPrefix(first, []byte("\xef\xbb\xbf")) {
		_, err := t.in.Discard(3)
		return err
	}
	return coded(first)
}

const (
	mostMagic = 8   // bytes of the longest beginning in packings
	mostHead  = 512 // bytes of text that identify its coding
	gzipMagic = "\x1f\x8b"
)

// packing is a way to pack files, recognised by its first bytes.
type packing struct{ magic, name, remedy string }

// packings are the ways to pack files. All but gzip are only named.
var packings = []packing{
	{gzipMagic, "gzip", ""},
	{"\xfd7zXZ\x00", "xz", "unpack it: xz -d FILE"},
	{"\x28\xb5\x2f\xfd", "Zstandard", "unpack it: zstd -d FILE"},
	{"BZh", "bzip2", "unpack it: bunzip2 FILE"},
	{"\x1f\x9d", "compress", "unpack it: uncompress FILE"},
	{"PK\x03\x04", "zip", "unpack it: unzip FILE"},
	{"7z\xbc\xaf\x27\x1c", "7-Zip", "unpack it: 7z x FILE"},
	{"\x04\x22\x4d\x18", "LZ4", "unpack it: lz4 -d FILE"},
}

// packingOf is the way in which data is packed; nil if it is not.
func packingOf(first []byte) *packing {
	for i, p := range packings {
		if bytes.HasPrefix(first, []byte(p.magic)) {
			return &packings[i]
		}
	}
	return nil
}

// coded recognises texts that are not in UTF-8 by their beginning, and files that are no text.
func coded(first []byte) error {
	utf := func(name string) error {
		return &TextError{
			What: "the text is in " + name, Want: "UTF-8 or ASCII",
			Remedy: fmt.Sprintf("convert it: iconv -f %s -t UTF-8 FILE > NEW", name),
		}
	}
	// Each zero byte of the first characters, which are ASCII in all formats, shows the width and
	// the order of bytes.
	zeros := make([]byte, 0, 4)
	for _, c := range first[:min(4, len(first))] {
		if c == 0 {
			zeros = append(zeros, '0')
		} else {
			zeros = append(zeros, 'x')
		}
	}
	tar := len(first) >= tarMagic+5 && string(first[tarMagic:tarMagic+5]) == "ustar"
	start := bytes.ToLower(bytes.TrimLeft(first, " \t\r\n"))
	switch {
	case tar:
		return &TextError{What: "the file is an archive of tar", Want: "one text", Remedy: "unpack it: tar -xf FILE"}
	case bytes.HasPrefix(first, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(first, []byte("\x00\x00\xfe\xff")),
		string(zeros) == "x000", string(zeros) == "000x":
		return utf("UTF-32")
	case bytes.HasPrefix(first, []byte("\xff\xfe")), bytes.HasPrefix(first, []byte("\xfe\xff")),
		string(zeros) == "x0x0", string(zeros) == "0x0x":
		return utf("UTF-16")
	case bytes.HasPrefix(start, []byte("<!doctype html")), bytes.HasPrefix(start, []byte("<html")):
		return &TextError{
			What: "the file is an HTML page, such as the answer to a download that failed", Want: "a text",
			Remedy: "fetch the file again",
		}
	}
	return nil
}

// tarMagic is the offset of the magic number in an archive of tar.
const tarMagic = 257

// members reads the members of a gzip file one after the other. Package gzip would take zeros after
// the last one, which tapes and some copies leave, for a damaged member.
type members struct {
	file   *bufio.Reader
	member *gzip.Reader
}

// Read implements [io.Reader].
func (m *members) Read(p []byte) (int, error) {
	n, err := m.member.Read(p)
	switch {
	case err == nil:
		return n, nil
	case err != io.EOF:
		return n, unpacking(err)
	}
	return n, m.next()
}

// next begins the next member, or returns io.EOF behind the last.
func (m *members) next() error {
	first, err := m.file.Peek(len(gzipMagic))
	if string(first) == gzipMagic {
		if err := m.member.Reset(m.file); err != nil {
			return unpacking(err)
		}
		m.member.Multistream(false)
		return nil
	}
	for err == nil || err == io.EOF {
		var c byte
		if c, err = m.file.ReadByte(); err == io.EOF {
			return io.EOF
		}
		if err == nil && c != 0 {
			return &TextError{
				What: "other data follow the compressed data", Want: "the end of the file, or zeros",
				Remedy: "fetch the file again, or keep the compressed part: gzip -dcq FILE > NEW",
			}
		}
	}
	return err
}

// unpacking names the fault of compressed data. Other errors are of reading the file.
func unpacking(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &TextError{"the compressed data ends early", "a complete gzip file", "fetch the file again",
			io.ErrUnexpectedEOF}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return &TextError{"the compressed data is damaged", "a gzip file", "fetch the file again", err}
	}
	return err
}

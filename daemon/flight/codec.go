package flight

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"regexp"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// A segment is a magic word and frames, the first of which holds the header, the others a record
// each. A frame is its length (3 bytes, the lowest first), a check of the length (1), the body, and
// a CRC-32C of the body (4). The length has a separate check: otherwise a changed length would look
// like a file that was cut off.
const (
	magic      = "canvass flight 1\n"
	frameLimit = 1<<24 - 1
	headBytes  = 4
	sumBytes   = 4
)

// textLimit bounds the texts of a header.
const textLimit = 1 << 16

// configLimit bounds the configuration of a kind of cores.
const configLimit = 1 << 20

// ErrHeader is wrapped by errors about a header that no file can have.
var ErrHeader = errors.New("impossible header")

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	lifeName   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,63}$`) })
)

func lengthCheck(b []byte) byte { return b[0] ^ b[1] ^ b[2] ^ 0xC5 }

// beginFrame appends room for the head of a frame.
func beginFrame(dst []byte) []byte { return append(dst, make([]byte, headBytes)...) }

// endFrame completes the frame that begins at an offset. It reports false, and removes the frame,
// if the body is too long.
func endFrame(dst []byte, at int) ([]byte, bool) {
	body := dst[at+headBytes:]
	if len(body) > frameLimit {
		return dst[:at], false
	}
	dst[at], dst[at+1], dst[at+2] = byte(len(body)), byte(len(body)>>8), byte(len(body)>>16)
	dst[at+3] = lengthCheck(dst[at:])
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(body, castagnoli)), true
}

func appendText(dst []byte, text string) []byte {
	return append(protocol.AppendUint(dst, uint64(len(text))), text...)
}

func readText(r *protocol.Reader, limit uint64) []byte { return r.Bytes(int(r.Uint(limit))) }

func appendCore(dst []byte, c CoreID) []byte {
	return protocol.AppendUint(protocol.AppendNodeID(append(dst, c.Kind), c.By), uint64(c.Epoch))
}

func readCore(r *protocol.Reader) CoreID {
	return CoreID{Kind: readByte(r), By: r.NodeID(), Epoch: uint32(r.Uint(1<<32 - 1))}
}

func readByte(r *protocol.Reader) byte {
	if b := r.Bytes(1); r.OK() {
		return b[0]
	}
	return 0
}

func readTime(r *protocol.Reader) time.Duration { return time.Duration(r.Uint(1<<63 - 1)) }

// validate reports what is wrong with a header that a recorder is to write.
func (h *Header) validate() error {
	switch {
	case !lifeName().MatchString(h.Life):
		return fmt.Errorf("%w: life %q must be 1 to 64 letters, digits or ._- and not begin with a dot", ErrHeader, h.Life)
	case len(h.Grid) > textLimit || len(h.Build) > textLimit:
		return fmt.Errorf("%w: the name of the grid or the build is longer than %d", ErrHeader, textLimit)
	case len(h.Cores) > protocol.MaxItems:
		return fmt.Errorf("%w: %d kinds of cores, more than %d", ErrHeader, len(h.Cores), protocol.MaxItems)
	}
	for _, k := range h.Cores {
		if len(k.Name) > textLimit || len(k.Config) > configLimit {
			return fmt.Errorf("%w: the configuration of core %.20q is too long", ErrHeader, k.Name)
		}
	}
	return nil
}

func appendHeader(dst []byte, h Header) []byte {
	dst = appendText(appendText(appendText(dst, h.Grid), h.Life), h.Build)
	dst = protocol.AppendUint(dst, uint64(h.Wire))
	dst = protocol.AppendUint(dst, uint64(len(h.Cores)))
	for _, k := range h.Cores {
		dst = appendText(appendText(append(dst, k.Kind), k.Name), string(k.Config))
	}
	dst = protocol.AppendUint(dst, uint64(h.Segment))
	dst = protocol.AppendUint(dst, uint64(h.At))
	return protocol.AppendInt(dst, h.Wall.UnixNano())
}

func decodeHeader(src []byte) (Header, error) {
	r := protocol.NewReader(src)
	h := Header{
		Grid: string(readText(r, textLimit)), Life: string(readText(r, textLimit)), Build: string(readText(r, textLimit)),
		Wire: uint32(r.Uint(1<<32 - 1)),
	}
	h.Cores = protocol.List(r, func() CoreKind {
		return CoreKind{
			Kind: readByte(r), Name: string(readText(r, textLimit)), Config: append([]byte(nil), readText(r, configLimit)...),
		}
	})
	h.Segment, h.At, h.Wall = uint32(r.Uint(1<<32-1)), readTime(r), time.Unix(0, r.Int(1<<62)).UTC()
	if !lifeName().MatchString(h.Life) {
		r.Fail()
	}
	return h, r.Close()
}

// appendRecord appends the body of a record.
func appendRecord(dst []byte, r *Record) []byte {
	dst = protocol.AppendUint(append(dst, byte(r.Kind)), r.Sequence)
	switch r.Kind {
	case SnapshotRecord:
		dst = append(protocol.AppendUint(appendCore(dst, r.Core), uint64(r.At)), r.Bytes...)
	case InputRecord:
		dst = protocol.AppendUint(appendCore(dst, r.Core), uint64(r.At))
		dst = append(protocol.AppendUint(dst, r.Frame), r.Bytes...)
	case OutputRecord:
		dst = binary.LittleEndian.AppendUint64(appendCore(dst, r.Core), r.Digest)
	case SentRecord:
		dst = protocol.AppendUint(protocol.AppendUint(dst, r.Step), uint64(r.Envelope))
		dst = protocol.AppendUint(dst, r.Frame)
	case EndRecord:
		dst = appendCore(dst, r.Core)
	case GapRecord:
		dst = protocol.AppendUint(dst, r.Lost)
	}
	return dst
}

// decodeRecord decodes the body of a record, whose bytes it may alias.
func decodeRecord(src []byte) (Record, error) {
	r := protocol.NewReader(src)
	rec := Record{Kind: RecordKind(readByte(r)), Sequence: r.Uint(1<<64 - 1)}
	switch rec.Kind {
	case SnapshotRecord:
		rec.Core, rec.At = readCore(r), readTime(r)
		rec.Bytes = r.Bytes(r.Left())
	case InputRecord:
		rec.Core, rec.At, rec.Frame = readCore(r), readTime(r), r.Uint(1<<64-1)
		rec.Bytes = r.Bytes(r.Left())
	case OutputRecord:
		rec.Core = readCore(r)
		if digest := r.Bytes(8); r.OK() {
			rec.Digest = binary.LittleEndian.Uint64(digest)
		}
	case SentRecord:
		rec.Step, rec.Envelope, rec.Frame = r.Uint(1<<64-1), uint32(r.Uint(1<<32-1)), r.Uint(1<<64-1)
	case EndRecord:
		rec.Core = readCore(r)
	case GapRecord:
		rec.Lost = r.Uint(1<<64 - 1)
	default:
		r.Fail()
	}
	return rec, r.Close()
}

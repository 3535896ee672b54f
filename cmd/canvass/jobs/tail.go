package jobs

import (
	"context"
	"io"
	"math"

	"github.com/canvass-grid/canvass/daemon/api"
)

// tailPiece is how much of an output is looked at in one step when its last lines are looked for.
const tailPiece = 32 << 10

// place moves a stream to the beginning of its last lines, once. A line without an end is one, too.
func (f *follower) place(ctx context.Context, at int, s *stream) error {
	if s.placed {
		return nil
	}
	end, err := f.grid.Output(ctx, f.id, f.query(at, s, math.MaxInt64/4)) // behind any end
	if err != nil {
		return err
	}
	if err := end.Close(); err != nil {
		return err
	}
	offset, err := lastLines(end.Size, f.tail, func(offset int64, most int) ([]byte, error) {
		q := f.query(at, s, offset)
		q.Most = int64(most)
		out, err := f.grid.Output(ctx, f.id, q)
		if err != nil {
			return nil, err
		}
		defer out.Close()
		return io.ReadAll(out)
	})
	if err == nil {
		s.offset, s.placed = offset, true
	}
	return err
}

func (f *follower) query(at int, s *stream, offset int64) api.OutputQuery {
	return api.OutputQuery{Attempt: at, Rank: s.rank, Stream: s.name, Offset: offset}
}

// lastLines is the offset of the last lines in a text of the given size. Read returns bytes from an
// offset on.
func lastLines(size int64, lines int, read func(offset int64, most int) ([]byte, error)) (int64, error) {
	if lines == 0 {
		return size, nil
	}
	ends := 0 // of lines before the last one
	for end := size; end > 0; {
		begin := max(0, end-tailPiece)
		data, err := read(begin, int(end-begin))
		if err != nil {
			return 0, err
		}
		for i := len(data) - 1; i >= 0; i-- {
			if data[i] != '\n' || begin+int64(i) == size-1 {
				continue
			}
			if ends++; ends == lines {
				return begin + int64(i) + 1, nil
			}
		}
		end = begin
	}
	return 0, nil
}

package flight

import "time"

// NewWith is New with smaller bounds.
func NewWith(dir string, h Header, segment, total, memory int, every time.Duration) (*Recorder, error) {
	return newRecorder(dir, h, limits{segment, total, memory, every})
}

// SegmentOf is the content of a segment with these records, at the header's times.
func SegmentOf(h Header, records ...Record) []byte {
	b, _ := endFrame(appendHeader(beginFrame([]byte(magic)), h), len(magic))
	for i := range records {
		b, _ = endFrame(appendRecord(beginFrame(b), &records[i]), len(b))
	}
	return b
}

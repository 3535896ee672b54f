package disk_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/disk"
)

// The values are as large as a record of a job with an attempt on three hosts.
const benchBytes = 1500

func benchStore(b *testing.B) (*disk.Store, []disk.Put) {
	b.Helper()
	s, err := disk.Open(b.TempDir())
	require.NoError(b, err)
	b.Cleanup(func() { _ = s.Close() })
	var puts []disk.Put
	for i := range 64 {
		puts = append(puts, disk.Put{
			Bucket: disk.Jobs, Key: fmt.Appendf(nil, "job-%03d", i), Value: make([]byte, benchBytes),
		})
	}
	require.NoError(b, s.Commit(puts...))
	b.ReportAllocs()
	b.ResetTimer()
	return s, puts
}

func BenchmarkCommit(b *testing.B) {
	for _, size := range []int{1, 64} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s, puts := benchStore(b)
			for b.Loop() {
				require.NoError(b, s.Commit(puts[:size]...))
			}
		})
	}
}

func BenchmarkGet(b *testing.B) {
	s, puts := benchStore(b)
	for b.Loop() {
		_, err := s.Get(disk.Jobs, puts[7].Key)
		require.NoError(b, err)
	}
}

func BenchmarkEach(b *testing.B) {
	s, _ := benchStore(b)
	for b.Loop() {
		require.NoError(b, s.Each(disk.Jobs, nil, func(_, _ []byte) error { return nil }))
	}
}

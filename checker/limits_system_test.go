package checker

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFreeMemory(t *testing.T) {
	if runtime.GOOS == "linux" {
		assert.Greater(t, FreeMemoryBytes(), uint64(1<<20))
	}
}

func TestFiguresOfTheSystem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figures")
	for text, want := range map[string]uint64{
		"MemTotal:  9 kB\nMemAvailable:    123 kB\n": 123 << 10,
		"MemAvailable:": 0, "MemAvailable: many kB": 0, "": 0, "MemFree: 1 kB": 0,
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		assert.Equal(t, want, kibibytes(file, "MemAvailable:"), text)
	}
	for text, want := range map[string]uint64{"4096\n": 4096, "max\n": 0, "": 0} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		n, ok := number(file)
		assert.Equal(t, want, n, text)
		assert.Equal(t, want > 0, ok, text)
	}
	_, ok := number(file + ".not")
	assert.False(t, ok)
	assert.Zero(t, kibibytes(file+".not", "MemAvailable:"))
}

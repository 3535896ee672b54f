package cli_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/internal/cli"
)

// On a terminal progress is one line, which is overwritten; anywhere else each line stays. A quiet
// one says nothing.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := cli.LiveProgress(&b, 20)
	p.Clear()
	p.Show("12,345 of 67,890 states")
	p.Note("done\a")
	p.Clear()
	assert.Equal(t, "\r\x1b[K12,345 of 67,890 st\r\x1b[Kcanvass: done\\x07\n", b.String())
	assert.Less(t, p.Every(), time.Second)

	b.Reset()
	p = cli.NewProgress(cli.NewMessages(&b), false)
	p.Show("12,345 of 67,890 states")
	p.Note("done")
	p.Clear()
	assert.Equal(t, "canvass: 12,345 of 67,890 states\ncanvass: done\n", b.String())
	assert.Equal(t, 10*time.Second, p.Every())

	b.Reset()
	p = cli.NewProgress(cli.NewMessages(&b), true)
	p.Show("12,345 of 67,890 states")
	p.Note("done")
	assert.Empty(t, b.String())
}

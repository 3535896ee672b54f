package plot_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/plot"
)

// A picture has the text that a page would show around the drawing, and is well formed.
func TestAPictureShowsItsTitleAndCaption(t *testing.T) {
	s := bars()
	s.Title, s.Caption = "waits < 1", strings.Repeat("Input log.swf & more. ", 12)
	f, err := plot.Bars(s)
	require.NoError(t, err)
	picture, err := f.Picture()
	require.NoError(t, err)
	assert.Contains(t, string(picture), ">waits &lt; 1</text>")
	assert.Greater(t, strings.Count(string(picture), "Input log.swf &amp; more."), 12, "the description, and the lines")
	assert.Contains(t, string(picture), `role="img" font-family=`, "the decoder below does not demand a blank")
	assert.Contains(t, string(picture), "max-width:100%", "a narrow window shows all of it")
	d := xml.NewDecoder(strings.NewReader(string(picture)))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	again, err := f.Picture()
	require.NoError(t, err)
	assert.Equal(t, string(picture), string(again))
}

func TestAPictureNeedsADrawing(t *testing.T) {
	_, err := (&plot.Figure{Title: "empty", SVG: []byte("<svg/>")}).Picture()
	assert.ErrorContains(t, err, `picture "empty"`)
}

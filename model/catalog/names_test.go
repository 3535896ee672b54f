package catalog_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model/catalog"
	"github.com/canvass-grid/canvass/model/reading"
)

// A published scenario has a model for each combination of interpretations, the listed ones among
// them.
func TestInterpretations(t *testing.T) {
	for base, want := range map[string]int{
		"published/can/row4/leave-leave": 32, "published/refine/own": 32, "published/reptask/cross": 32,
		"published/dtm/two-join": 1,
	} {
		names := catalog.Interpretations(base + "@fifo")
		assert.Len(t, names, 2*want, base)
		assert.Equal(t, []string{base, base + "@fifo"}, []string{names[0], names[want]})
		for _, name := range []string{names[0], names[want-1], names[want], names[2*want-1]} {
			m, err := catalog.Interpreted(name)
			require.NoError(t, err)
			assert.Equal(t, name, m.Info().Name)
			assert.Empty(t, m.Info().Expected)
		}
		_, err := catalog.Interpreted(base + "@nothing")
		require.ErrorIs(t, err, reading.ErrReading)
	}
	for _, name := range []string{"can/row3/leave", "published/can/row9/none", "published/none", "nothing@fifo"} {
		m, err := catalog.Interpreted(name)
		require.NoError(t, err)
		assert.Nil(t, m, name)
	}
	assert.Nil(t, catalog.Interpretations("can/row3/leave"))
	for name := range byName() {
		if names := catalog.Interpretations(name); names != nil {
			assert.Contains(t, names, name)
		}
	}
}

// The traces and models that texts name exist.
func TestNamesInTextsExist(t *testing.T) {
	texts := []string{"../../README.md", "../../ARCHITECTURE.md"}
	for _, pattern := range []string{
		"../../docs/*.md", "../../docs/protocols/*.md", "../../protocol/*/doc.go", "../../protocol/published/*/doc.go",
		"../*/doc.go", "../../internal/*/doc.go",
	} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		texts = append(texts, found...)
	}
	trace := regexp.MustCompile(`\b(?:published-)?(?:can|peer|refine|reptask|store)-[a-z0-9@+-]+\.[A-Z][A-Za-z]+`)
	name := regexp.MustCompile(
		`\b(?:published/can|can|store)/(?:row[0-9]|tee|square|long|cube|slim|clones|outward|far)/[a-z@+-]+`,
	)
	models, seen := byName(), 0
	for _, path := range texts {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, found := range trace.FindAllString(string(text), -1) {
			seen++
			assert.FileExists(t, filepath.Join(corpus, found+".itf.json"), "named in %s", path)
		}
		for _, found := range name.FindAllString(string(text), -1) {
			seen++
			_, listed := models[found]
			m, err := catalog.Interpreted(found)
			require.NoError(t, err, "named in %s", path)
			assert.True(t, listed || m != nil, "no model %s, which is named in %s", found, path)
		}
	}
	assert.Greater(t, seen, 30, "names found in texts")
}

package catalog_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
			assert.Contains(t, models, found, "named in %s", path)
		}
	}
	assert.Greater(t, seen, 30, "names found in texts")
}

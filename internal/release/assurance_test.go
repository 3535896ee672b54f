package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutation"
)

// The table of the page is that of the repository and the last check.
func TestTableIsCurrent(t *testing.T) {
	root, err := mutation.Root()
	require.NoError(t, err)
	check, err := readChecked(root)
	require.NoError(t, err)
	want, err := assuranceTable(root, check)
	require.NoError(t, err)
	page, err := assurancePage(root)
	require.NoError(t, err)
	assert.Equal(t, want, page.table, "make tables WHAT=assurance writes it again")
	assert.Empty(t, missingRows(check))
}

func TestCheckIsSummedUp(t *testing.T) {
	report := `{"model":"a/x","as_expected":true,"verdict":"holds","nodes":2,"states":5,` +
		`"faults":{"drop":1,"repeat":true},"properties":[{"name":"P","cases":0},{"name":"Q","cases":0}]}
{"model":"a/y","as_expected":true,"verdict":"violated","nodes":3,"states":7,"faults":{"drop":0,"crash":2},` +
		`"properties":[{"name":"P","cases":4}]}
{"model":"published/a/x","as_expected":true,"verdict":"holds","nodes":1,"states":1,"faults":{},"properties":[]}
`
	all, err := readCheck(strings.NewReader(report))
	require.NoError(t, err)
	assert.Equal(t, map[string]checked{
		"a": {
			Models: 2, Failing: 1, States: 12, Nodes: 3, Properties: 2, Untested: 1,
			Faults: map[string]int{"drop": 1, "repeat": 1, "crash": 2},
		},
		"published/a": {Models: 1, States: 1, Nodes: 1, Faults: map[string]int{}},
	}, all)

	_, err = readCheck(strings.NewReader(`{"model":"a/x","as_expected":false}`))
	assert.ErrorContains(t, err, "a/x is not as expected")
	_, err = readCheck(strings.NewReader(`{"model":`))
	assert.Error(t, err)
}

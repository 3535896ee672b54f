package platform_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

func parse(t *testing.T, text string) *scheduler.Platform {
	t.Helper()
	p, err := platform.Parse(text)
	require.NoError(t, err)
	return p
}

// processors counts those of all clusters.
func processors(p *scheduler.Platform) int {
	n := 0
	for _, c := range p.Clusters {
		n += c.Nodes * c.ProcessorsPerNode
	}
	return n
}

func TestGridsHaveThePublishedSizes(t *testing.T) {
	for _, test := range []struct {
		text                                 string
		clusters, nodes, largest, processors int
		diameterNanos                        int64 // of the largest cluster
	}{
		{"sharcnet", 10, 2091, 768, 6828, platform.EthernetNanos},
		{"sharcnet:unit=cpu", 10, 6828, 3072, 6828, platform.EthernetNanos},
		{"das2", 5, 200, 72, 400, platform.MyrinetNanos},
		{"das2:unit=cpu", 5, 400, 144, 400, platform.MyrinetNanos},
		{"metacentrum", 14, 806, 152, 806, platform.EthernetNanos},
		{"metacentrum:unit=node", 14, 232, 36, 806 - 4, platform.EthernetNanos},
		{"pool:64", 1, 64, 64, 64, platform.EthernetNanos},
		{"pool:1", 1, 1, 1, 1, 0},
		{"uniform:4x32", 4, 128, 32, 128, platform.EthernetNanos},
	} {
		p := parse(t, test.text)
		assert.Equal(t, test.text, p.Name)
		assert.Len(t, p.Clusters, test.clusters, test.text)
		assert.Equal(t, test.nodes, p.Nodes(), test.text)
		assert.Equal(t, test.largest, p.Largest(), test.text)
		assert.Equal(t, test.processors, processors(p), test.text)
		for _, c := range p.Clusters {
			if c.Nodes == test.largest {
				assert.Equal(t, test.diameterNanos, c.DiameterNanos, test.text)
				break
			}
		}
	}
}

func TestSharcnetHasOneEthernetCluster(t *testing.T) {
	p := parse(t, "sharcnet")
	var sizes []int
	ethernet := 0
	for _, c := range p.Clusters {
		sizes = append(sizes, c.Nodes)
		if c.DiameterNanos == 150_000 {
			ethernet++
		} else {
			assert.Equal(t, int64(8_000), c.DiameterNanos)
		}
	}
	assert.Equal(t, []int{768, 768, 267, 96, 32, 32, 32, 32, 32, 32}, sizes)
	assert.Equal(t, 1, ethernet)
}

// Cluster i of the archive's page is partition i+1 of the log: names are partitions.
func TestMetaCentrumIsNamedByPartition(t *testing.T) {
	p := parse(t, "metacentrum")
	var sizes []string
	for _, c := range p.Clusters {
		sizes = append(sizes, fmt.Sprintf("%s:%d", c.Name, c.Nodes))
	}
	assert.Equal(t, "1:8 2:16 3:10 4:80 5:32 6:64 7:148 8:70 9:20 10:6 11:92 12:152 13:64 14:44", strings.Join(sizes, " "))
}

func TestANameGivesItsPlatformAgain(t *testing.T) {
	texts := []string{"pool:007", "uniform:2x3", "sharcnet:unit=cpu", "das2:unit=node", "metacentrum:unit=cpu"}
	for _, n := range platform.Named() {
		assert.True(t, strings.HasSuffix(n.Sentence, "."), n.Name)
		if !strings.Contains(n.Name, ":") {
			texts = append(texts, n.Name)
		}
	}
	for _, text := range texts {
		p := parse(t, text)
		assert.Equal(t, p, parse(t, p.Name), text)
		seen := map[string]bool{}
		for _, c := range p.Clusters {
			assert.False(t, seen[c.Name], "%s has two clusters %s", text, c.Name)
			seen[c.Name] = true
		}
	}
	assert.Equal(t, "metacentrum", parse(t, "metacentrum:unit=cpu").Name)
}

func TestUnknownNames(t *testing.T) {
	for text, want := range map[string][]string{
		"shacrnet":   {"sharcnet"},
		"das":        {"das2"},
		"poool:4":    {"pool"},
		"Uniform:44": {"uniform"},
		"grid5000":   nil,
	} {
		_, err := platform.Parse(text)
		var unknown *platform.UnknownError
		require.ErrorAs(t, err, &unknown, text)
		assert.Equal(t, want, unknown.Nearest, text)
	}
	_, err := platform.Parse("shacrnet")
	require.EqualError(t, err, `there is no platform "shacrnet"; did you mean "sharcnet"?`)
	_, err = platform.Parse("grid5000")
	require.EqualError(t, err, `there is no platform "grid5000"; choose one of sharcnet, das2, metacentrum, pool, `+
		`uniform, hetero, graded, or name a file that ends in .json`)
}

func TestInvalidSettings(t *testing.T) {
	for text, want := range map[string]string{
		"pool":                        `pool: "", want the number of nodes, as in pool:64`,
		"pool:0":                      `pool:0: 0, want 1 to 1048576`,
		"pool:-3":                     `pool:-3: "-3", want the number of nodes, as in pool:64`,
		"pool:1e3":                    `pool:1e3: "1e3", want the number of nodes, as in pool:64`,
		"pool:9999999":                `pool:9999999: 9999999, want 1 to 1048576`,
		"pool:3000000000":             `pool:3000000000: "3000000000", want the number of nodes, as in pool:64`,
		"uniform:4":                   `uniform:4: want clusters and nodes of each, as in uniform:4x32`,
		"uniform:0x4":                 `uniform:0x4: 0, want 1 to 1048576`,
		"uniform:4x0":                 `uniform:4x0: 0, want 1 to 1048576`,
		"uniform:1024x1025":           `uniform:1024x1025: 1049600 nodes, want at most 1048576`,
		"metacentrum:unit=core":       `metacentrum:unit=core: "unit=core", want unit=cpu or unit=node`,
		"metacentrum:":                `metacentrum:: "", want unit=cpu or unit=node`,
		"das2:unit=node,unit=machine": `das2:unit=node,unit=machine: "unit=node,unit=machine", want unit=cpu or unit=node`,
	} {
		_, err := platform.Parse(text)
		var invalid *platform.InvalidError
		require.ErrorAs(t, err, &invalid, text)
		assert.EqualError(t, err, want)
	}
}

const lab = `{"name": "lab", "clusters": [
  {"name": "fast", "nodes": 64, "diameter_nanos": 8000, "speed_permille": 1500},
  {"name": "old", "nodes": 20, "processors_per_node": 2, "kind": "arm"},
  {"name": "desk", "nodes": 1}
]}`

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.json")
	require.NoError(t, os.WriteFile(path, []byte(lab), 0o600))
	assert.Equal(t, &scheduler.Platform{Name: "lab", Clusters: []scheduler.Cluster{
		{Name: "fast", Nodes: 64, ProcessorsPerNode: 1, DiameterNanos: 8000, SpeedPermille: 1500},
		{Name: "old", Nodes: 20, ProcessorsPerNode: 2, DiameterNanos: 150_000, SpeedPermille: 1000, Kind: "arm"},
		{Name: "desk", Nodes: 1, ProcessorsPerNode: 1, DiameterNanos: 0, SpeedPermille: 1000},
	}}, parse(t, path))
	_, err := platform.Parse(filepath.Join(t.TempDir(), "none.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
	p, err := platform.Decode("d/small.json", []byte(`{"clusters": [{"name": "a", "nodes": 2}]}`))
	require.NoError(t, err)
	assert.Equal(t, "small", p.Name)
}

func TestFilesThatAreRefused(t *testing.T) {
	cluster := func(fields string) string { return `{"clusters": [{"name": "a", "nodes": 2}, ` + fields + `]}` }
	for _, test := range [][2]string{
		{``, `p.json:1: not JSON: unexpected end of JSON input`},
		{"{\n\"name\": \"x\",\n}", `p.json:3: not JSON: invalid character '}' looking for beginning of object key string`},
		{`[]`, `p.json: [], want an object {…}`},
		{`null`, `p.json: null, want an object {…}`},
		{`{}`, `p.json: clusters: missing, want a list of at least one cluster`},
		{`{"clusters": []}`, `p.json: clusters: [], want a list of at least one cluster`},
		{`{"clusters": {"a": 1}}`, `p.json: clusters: {"a": 1}, want a list of at least one cluster`},
		{`{"name": "", "clusters": []}`, `p.json: name: "", want a name in quotes`},
		{`{"nome": "x", "clusters": []}`, `p.json: nome: unknown field, want name, clusters`},
		{`{"Name": "x", "clusters": []}`, `p.json: Name: unknown field, want name, clusters`},
		{`{"clusters": [], "clusters": []}`, `p.json: clusters: given twice, want it once`},
		{cluster(`7`), `p.json: clusters[1]: 7, want an object {…}`},
		{cluster(`{"nodes": 3}`), `p.json: clusters[1].name: missing, want a name in quotes`},
		{cluster(`{"name": "b"}`), `p.json: clusters[1].nodes: missing, want a whole number`},
		{cluster(`{"name": "b", "nodes": 0}`), `p.json: clusters[1].nodes: 0, want at least 1`},
		{cluster(`{"name": "b", "nodes": -1}`), `p.json: clusters[1].nodes: -1, want at least 1`},
		{cluster(`{"name": "b", "nodes": 2.5}`), `p.json: clusters[1].nodes: 2.5, want a whole number`},
		{cluster(`{"name": "b", "nodes": "2"}`), `p.json: clusters[1].nodes: "2", want a whole number`},
		{cluster(`{"name": "b", "nodes": null}`), `p.json: clusters[1].nodes: null, want a whole number`},
		{cluster(`{"name": "b", "nodes": 99999999999999999999}`),
			`p.json: clusters[1].nodes: 99999999999999999999, want 1 to 1048576`},
		{cluster(`{"name": "b", "nodes": 1048576}`),
			`p.json: clusters: 1048578 nodes up to "b", want at most 1048576 in all`},
		{cluster(`{"name": "b", "nodes": 1048577}`), `p.json: clusters[1].nodes: 1048577, want at most 1048576`},
		{cluster(`{"name": "a", "nodes": 3}`), `p.json: clusters[1].name: "a" is the name of clusters[0] too, want another`},
		{cluster(`{"name": "b", "nodes": 3, "size": 4}`), `p.json: clusters[1].size: unknown field, want name, nodes, ` +
			`processors_per_node, diameter_nanos, speed_permille, kind`},
		{cluster(`{"name": "b", "nodes": 3, "nodes": 4}`), `p.json: clusters[1].nodes: given twice, want it once`},
		{cluster(`{"name": "b", "nodes": 3, "processors_per_node": 0}`),
			`p.json: clusters[1].processors_per_node: 0, want at least 1`},
		{cluster(`{"name": "b", "nodes": 3, "diameter_nanos": 0}`), `p.json: clusters[1].diameter_nanos: ` +
			`0 with nodes 3, want 0 for a single node, else at least 1`},
		{cluster(`{"name": "b", "nodes": 1, "diameter_nanos": 5}`), `p.json: clusters[1].diameter_nanos: ` +
			`5 with nodes 1, want 0 for a single node, else at least 1`},
		{cluster(`{"name": "b", "nodes": 3, "speed_permille": -5}`),
			`p.json: clusters[1].speed_permille: -5, want at least 1`},
	} {
		_, err := platform.Decode("p.json", []byte(test[0]))
		var invalid *platform.InvalidError
		require.ErrorAs(t, err, &invalid, test[0])
		assert.EqualError(t, err, test[1])
	}
}

// A file either describes a platform that could exist or is refused with the place of its error.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(lab))
	f.Add([]byte(`{"clusters": [{"name": "a", "nodes": 2}, {"name": "a", "nodes": 0, "x": [1, {"y": null}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := platform.Decode("p.json", text)
		if err != nil {
			var invalid *platform.InvalidError
			require.ErrorAs(t, err, &invalid)
			require.True(t, strings.HasPrefix(err.Error(), "p.json"))
			return
		}
		seen := map[string]bool{}
		for _, c := range p.Clusters {
			require.False(t, seen[c.Name])
			seen[c.Name] = true
			require.True(t, c.Nodes >= 1 && c.ProcessorsPerNode >= 1 && c.SpeedPermille >= 1)
			require.Equal(t, c.Nodes == 1, c.DiameterNanos == 0)
		}
		require.LessOrEqual(t, p.Nodes(), platform.MaxNodes)
	})
}

// Files that other systems have moved mean what they meant, or are named.
func TestFilesAsOtherSystemsLeaveThem(t *testing.T) {
	const text = "{\"clusters\": [\n{\"name\": \"a\", \"nodes\": 1024}]}\n"
	plain, err := platform.Decode("p.json", []byte(text))
	require.NoError(t, err)
	for _, same := range []string{"\xef\xbb\xbf" + text, strings.ReplaceAll(text, "\n", "\r\n")} {
		p, err := platform.Decode("p.json", []byte(same))
		require.NoError(t, err)
		assert.Equal(t, plain, p)
	}
	for _, c := range [][2]string{
		{"\xff\xfe{\x00}\x00", "p.json: the text is in UTF-16, expected UTF-8 or ASCII"},
		{strings.ReplaceAll(text, "\n", "\r"), "p.json: a carriage return (CR) stands without a line feed (LF)"},
		{strings.Replace(text, "1024", "1,024", 1), "p.json:2: not JSON: invalid character '0' looking for beginning of " +
			"object key string; write numbers without separators, as in 1024"},
		{strings.Replace(text, "1024", `"1,024"`, 1), `p.json: clusters[0].nodes: "1,024", want a whole number`},
		{`{"clusters": null}`, "p.json: clusters: null, want a list of at least one cluster"},
		{`{"clusters": [null]}`, "p.json: clusters[0]: null, want an object {…}"},
		{`{"clusters": [{"name": "a", "nodes": null}]}`, "p.json: clusters[0].nodes: null, want a whole number"},
	} {
		_, err := platform.Decode("p.json", []byte(c[0]))
		assert.ErrorContains(t, err, c[1])
		_, err = platform.DecodeClusters("p.json", []byte(c[0]))
		require.Error(t, err)
	}
	_, err = platform.DecodeClusters("c.json", []byte("\xef\xbb\xbf"+
		`{"name": "x", "clusters": [[0, 1]], "advertised": [0, 0]}`))
	require.NoError(t, err)
	for _, numbers := range []string{`[[null, 1]], "advertised": [0, 0]`, `[[0, 1]], "advertised": [null, 0]`,
		`null, "advertised": []`} {
		_, err = platform.DecodeClusters("c.json", []byte(`{"name": "x", "clusters": `+numbers+`}`))
		assert.ErrorContains(t, err, "want lists of whole numbers", numbers)
	}
}

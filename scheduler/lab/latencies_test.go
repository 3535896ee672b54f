package lab_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

// A cell that predicts has errors in its row, and no jobs. Runs repeat.
func TestCellsThatPredict(t *testing.T) {
	l := &lab.Lab{}
	c := lab.MustCell("predict=dtm of sharcnet-latency:sites=plane,every=20")
	first, err := l.Run(context.Background(), "", c, 3)
	require.NoError(t, err)
	p := first.Row.Prediction
	assert.Equal(t, p.Hosts*(p.Hosts-1)/2, p.Errors.Pairs)
	assert.Positive(t, p.Measurements)
	assert.Positive(t, p.Floor.P99)
	again, err := l.Run(context.Background(), "", c, 3)
	require.NoError(t, err)
	assert.Equal(t, p, again.Row.Prediction)
	for text, want := range map[string]string{
		"dtm":              "METHOD of INPUT",
		"dtm:x of tree:10": "METHOD of INPUT",
		"dtm:0 of tree:10": "METHOD of INPUT",
		"dtn of tree:10":   `did you mean "dtm"`,
		"dtm of tree":      "as in tree:300",
		"dtm of planetlab": "CANVASS_DATA",
	} {
		_, err := l.Run(context.Background(), "", lab.MustCell("predict="+text), 1)
		assert.ErrorContains(t, err, want, text)
	}
	_, err = l.Run(context.Background(), "", lab.MustCell("predict=dtm of planetlab"), 1)
	require.ErrorIs(t, err, lab.ErrNoData)
}

// On the grid at measured sites, DTM measures seldom and confuses almost nothing.
func TestDTMAtMeasuredSites(t *testing.T) {
	data := os.Getenv("CANVASS_DATA")
	if data == "" {
		t.Skip("CANVASS_DATA does not name a folder of measured latencies")
	}
	o, err := (&lab.Lab{Data: data}).Run(context.Background(), "",
		lab.MustCell("predict=dtm of sharcnet-latency"), 1)
	require.NoError(t, err)
	p := o.Row.Prediction
	assert.Equal(t, 2_185_095, p.Errors.Pairs)
	assert.LessOrEqual(t, p.Measurements, 57*p.Hosts)
	assert.LessOrEqual(t, p.Errors.Positive, 3e-5)
	assert.LessOrEqual(t, p.Errors.Negative, 0.03)
}

// Latencies between clusters are at least those within, groups of one cluster stay together, and
// unreadable files are refused.
func TestLatenciesBetweenClusters(t *testing.T) {
	run := func(settings ...string) (*lab.Row, error) {
		c := lab.MustCell("workload=sharcnet-like:N=60", "select=filter:size<=32", "platform=uniform:2x64", "policy=qb+dlb")
		o, err := (&lab.Lab{}).Run(t.Context(), "", c.With(settings...), 1)
		if err != nil {
			return nil, err
		}
		return o.Row, nil
	}
	digests := map[string]bool{}
	for _, s := range []string{"between=same", "between=70ms", "between=plane", "between=plane*10"} {
		row, err := run(s)
		require.NoError(t, err)
		digests[row.StartsDigest] = true
	}
	assert.Len(t, digests, 4, "the latency changes nothing")
	same, err := run("between=same", "latency=2s", "clustering=disjoint:32")
	require.NoError(t, err)
	sites, err := run("between=plane", "latency=2s", "clustering=disjoint:32")
	require.NoError(t, err)
	assert.Equal(t, same.StartsDigest, sites.StartsDigest, "sites are nearer than the latency within a cluster")
	for setting, want := range map[string]string{
		"between=70us": "a message from cluster 0 to 1 takes 70 µs: use 1000, as within a cluster",
	} {
		_, err := run(setting)
		var mistake *usage.Error
		require.ErrorAs(t, err, &mistake)
		assert.ErrorContains(t, err, want)
	}
	_, err = run("between=median")
	assert.ErrorIs(t, err, lab.ErrNoData)
}

// Jobs that require fast machines run elsewhere, but only where machines differ.
func TestDemandsOfJobs(t *testing.T) {
	digest := func(platform, demands string) string {
		c := lab.MustCell("workload=sharcnet-like:N=60", "select=filter:size<=32", "platform="+platform, "policy=qb+dlb",
			"demands="+demands)
		o, err := (&lab.Lab{}).Run(t.Context(), "", c, 1)
		require.NoError(t, err)
		return o.Row.StartsDigest
	}
	assert.NotEqual(t, digest("hetero:1,300", "none"), digest("hetero:1,300", "drawn"))
	assert.Equal(t, digest("uniform:2x64", "none"), digest("uniform:2x64", "drawn"))
}

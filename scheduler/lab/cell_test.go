package lab_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

func TestSettingsHaveDefaults(t *testing.T) {
	var c lab.Cell
	require.NoError(t, c.Set("policy", "fcfs"))
	assert.Equal(t, "fcfs", c.Get("policy"))
	assert.Equal(t, "instant", c.Get("passes"))
	assert.Empty(t, c.Given("passes"))
	assert.Equal(t, "policy=fcfs", c.String())

	text, err := json.Marshal(c)
	require.NoError(t, err)
	var read lab.Cell
	require.NoError(t, json.Unmarshal(text, &read))
	assert.Equal(t, c.String(), read.String())
	for _, s := range lab.Settings() {
		assert.Equal(t, c.Get(s.Name), read.Given(s.Name), "rows have all settings, with their defaults: %s", s.Name)
	}
}

func TestWhatDependsOnChance(t *testing.T) {
	for _, c := range []struct {
		setting, value string
		chance         bool
	}{
		{"policy", "conservative", false}, {"policy", "actual", false}, {"policy", "random", true}, {"policy", "qb", true},
		{"workload", "lublin:N=10,nodes=8", true}, {"predict", "dtm of tree:20", true}, {"choice", "random", true},
		{"select", "head:10", false}, {"select", "head:10,shake:5s", true},
		{"select", "window:drawn:10", true}, {"select", "window:densest:10", false},
		{"estimate", "exact", false}, {"estimate", "factor:3", true},
	} {
		cell := lab.MustCell("workload=swf:log.swf")
		require.NoError(t, cell.Set(c.setting, c.value))
		assert.Equal(t, c.chance, cell.Chance(), "%s=%s", c.setting, c.value)
	}
}

func TestUnknownSetting(t *testing.T) {
	var c lab.Cell
	var mistake *usage.Error
	require.ErrorAs(t, c.Set("polcy", "fcfs"), &mistake)
	assert.Contains(t, mistake.Error(), `did you mean "policy"?`)
}

// A value that a setting cannot have is refused before anything runs, whether runs look at it or
// not.
func TestValuesThatNoSettingHas(t *testing.T) {
	for setting, want := range map[string]string{
		"policy=eazy":           `did you mean "easy"`,
		"policy=":               "policy is empty; leave it out for easy, the default",
		"estimate=nonsens":      `estimate "nonsens": there is no such estimate; use requested, exact, factor:F or user2`,
		"estimate=exakt":        `did you mean "exact"? use`,
		"estimate=factor:abc":   `"abc" is not a decimal number above 0`,
		"estimate=factor:0.5":   "at least 1",
		"estimate=":             "estimate is empty",
		"pool=maybe":            `pool is "maybe": use yes or no`,
		"clustering=disjoint:x": "disjoint:N",
		"platform=sharknet":     `"sharcnet"`,
		"platform=pool:0":       "pool:0",
		"select=head:3,had:3":   `"head"`,
		"choice=worst":          "use best, first, fastest or random",
		"passes=x":              "use instant or event",
		"compress=x":            "use each, order, anew or never",
		"trim=x":                "use none, standard",
		"overrun=x":             `overrun is "x": use kill, keep or exchange`,
		"unit=x":                "use cpu or node",
		"zero-run=x":            "use drop, one-second or keep",
		"no-processors=x":       "use drop or one",
		"processors=x":          `processors is "x": use requested or allocated`,
		"status=x":              "use ran, completed or any",
		"round=x":               "use yes or no",
		"skip-bad=x":            "use yes or no",
		"fidelity=x":            "use bulk or cores",
		"reach=x":               "use direct or both",
		"demands=much":          `demands is "much": use none or drawn`,
		"moves=x":               "use once or each",
		"churn=x":               "use none",
		"loss=x":                "use a percentage",
		"news=-1s":              "news is",
		"between=plane*0":       "use a whole number of times from 1 to 1000",
		"between=moon":          "use same, a time such as 50ms, or the sites plane, median, mean or lowest",
	} {
		var c lab.Cell
		name, value, _ := strings.Cut(setting, "=")
		err := c.Set(name, value)
		var mistake *usage.Error
		if assert.ErrorAs(t, err, &mistake, setting) {
			assert.Contains(t, mistake.Error(), want)
		}
		_, err = lab.Product(make([]lab.Cell, 1), []lab.Values{{Name: name, Values: []string{value}}}, []uint64{1})
		assert.ErrorAs(t, err, &mistake, setting)
	}
	for _, s := range lab.Settings() {
		var c lab.Cell
		assert.NoError(t, c.Set(s.Name, s.Default), s.Name)
	}
	for _, setting := range []string{
		"estimate=factor:1", "estimate=factor:2.5", "estimate=user2", "churn=leave=2h,away=5m", "loss=0.5%",
		"trim=10:5", "clustering=overlap:4", "select=", "select=filter:parallel,window:densest:1000",
		"platform=nowhere.json", "platform=hetero:1,300", "news=0s", "between=1us", "reach=global",
	} {
		assert.NotPanics(t, func() { lab.MustCell(setting) }, setting)
	}
}

func TestProduct(t *testing.T) {
	runs, err := lab.Product([]lab.Cell{lab.MustCell("workload=w")}, []lab.Values{
		{Name: "policy", Values: []string{"fcfs", "easy"}}, {Name: "pool", Values: []string{"yes", "no"}},
	}, []uint64{1, 2})
	require.NoError(t, err)
	var all []string
	for _, r := range runs {
		all = append(all, r.Cell.Get("policy")+" "+r.Cell.Get("pool")+" "+string(rune('0'+r.Seed)))
	}
	assert.Equal(t, []string{
		"fcfs yes 1", "fcfs yes 2", "fcfs no 1", "fcfs no 2", "easy yes 1", "easy yes 2", "easy no 1", "easy no 2",
	}, all)
	unknown := []lab.Values{{Name: "x", Values: []string{""}}}
	_, err = lab.Product(make([]lab.Cell, 1), unknown, []uint64{1})
	assert.ErrorContains(t, err, `no setting is called "x"`)
	many := lab.Values{Name: "select", Values: make([]string, 2_000)}
	_, err = lab.Product(make([]lab.Cell, 1), []lab.Values{many, many}, []uint64{1})
	assert.ErrorContains(t, err, "vary fewer")
}

// Every run is in exactly one share.
func TestShards(t *testing.T) {
	seeds, err := lab.Seeds("3..13")
	require.NoError(t, err)
	runs, err := lab.Product(make([]lab.Cell, 1), nil, seeds)
	require.NoError(t, err)
	require.Len(t, runs, 11)
	met := map[uint64]int{}
	for _, shard := range []string{"1/4", "2/4", "3/4", "4/4"} {
		share, err := lab.Shard(runs, shard)
		require.NoError(t, err)
		for _, r := range share {
			met[r.Seed]++
		}
	}
	assert.Len(t, met, 11)
	for seed, n := range met {
		assert.Equal(t, 1, n, seed)
	}
	for _, bad := range []string{"0/4", "5/4", "x", "1", "1/0"} {
		_, err := lab.Shard(runs, bad)
		assert.ErrorContains(t, err, "I/N", bad)
	}
}

func TestSeedsAndValuesThatAreRefused(t *testing.T) {
	for _, bad := range []string{"", "0", "-1", "7..3", "x", "1..9999999999"} {
		_, err := lab.Seeds(bad)
		assert.Error(t, err, bad)
	}
	for _, bad := range []string{"policy", "=a", "policy=", "polcy=a"} {
		_, err := lab.ParseValues(bad)
		assert.Error(t, err, bad)
	}
}

func TestValuesWithCommas(t *testing.T) {
	v, err := lab.ParseValues("policy=fcfs,easy")
	require.NoError(t, err)
	assert.Equal(t, []string{"fcfs", "easy"}, v.Values)
	v, err = lab.ParseValues("workload=lublin:N=10,nodes=16;lublin:N=20,nodes=16")
	require.NoError(t, err)
	assert.Equal(t, []string{"lublin:N=10,nodes=16", "lublin:N=20,nodes=16"}, v.Values)
	v, err = lab.ParseValues("workload=lublin:N=10,nodes=16")
	require.NoError(t, err)
	assert.Equal(t, []string{"lublin:N=10,nodes=16"}, v.Values)
}

func TestAFileNeedsNoPrefix(t *testing.T) {
	var bare, prefixed lab.Cell
	require.NoError(t, bare.Set("workload", "log.swf.gz"))
	require.NoError(t, prefixed.Set("workload", "swf:log.swf.gz"))
	assert.Equal(t, prefixed, bare)
	for given, want := range map[string]string{
		"lublin:N=3,nodes=2": "lublin:N=3,nodes=2", "a.gwf": "gwf:a.gwf", "a.gwf.gz": "gwf:a.gwf.gz",
		"a.sacct": "sacct:a.sacct", "sacct:a.swf": "sacct:a.swf", "gwf:jobs.txt": "gwf:jobs.txt", "jobs.txt": "jobs.txt",
	} {
		require.NoError(t, bare.Set("workload", given))
		assert.Equal(t, want, bare.Get("workload"))
	}
}

func TestAListOfSelectionsIsNotTakenForOneValue(t *testing.T) {
	_, err := lab.ParseValues("select=load:to=0.5,load:to=0.8")
	require.ErrorContains(t, err, "select=load:to=0.5;load:to=0.8")
	v, err := lab.ParseValues("select=head:10,load:to=0.8")
	require.NoError(t, err)
	assert.Len(t, v.Values, 1)
}

func TestACellThatOccursAgainIsRunOnce(t *testing.T) {
	over := []lab.Values{{Name: "policy", Values: []string{"easy", "fcfs", "easy"}}}
	runs, err := lab.Product(make([]lab.Cell, 2), over, []uint64{1, 2})
	require.NoError(t, err)
	assert.Len(t, runs, 4)
}

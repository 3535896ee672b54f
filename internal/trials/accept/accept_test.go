package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachItemIsThereOrSaysWhyNot(t *testing.T) {
	for n, i := range items {
		assert.Equal(t, n+1, i.number)
		assert.NotEmpty(t, i.title)
		assert.NotEqual(t, i.try == nil, i.lacks == "", "item %d", i.number)
	}
}

func TestJudgesOfCanaries(t *testing.T) {
	out := "J1 AckedKept       violated     9 acknowledged jobs\nJ2 OneRun          holds        9\n" +
		"J6b OneHistory     violated     9 steps\nverdict: violated\nthe mutant a was noticed\n" +
		"J8 Results         violated     9\nthe mutant b was noticed\n"
	assert.Equal(t, []string{"a by J1, J6b", "b by J8"}, canariesOf(out))
}

func TestFullAmounts(t *testing.T) {
	s := settings{amounts: amounts{runs: 5, size: 200, minutes: 1}}
	six := &item{named: amounts{runs: 100}}
	assert.Equal(t, "5 of 100 runs; ", s.of(six).share(six.named))
	require.NoError(t, s.runsFlag("full"))
	assert.Equal(t, "100 of 100 runs; ", s.of(six).share(six.named))
	assert.Equal(t, amounts{runs: 100, size: 200, minutes: 1}, s.of(six).amounts)
	other := &item{named: amounts{size: 10_000, minutes: 60}}
	assert.Equal(t, "10000 of 10000 elements; 60 of 60 minutes; ", s.of(other).share(other.named))
	assert.Empty(t, s.share(amounts{}))
	require.NoError(t, s.runsFlag("7"))
	assert.Equal(t, amounts{runs: 7, size: 200, minutes: 1}, s.of(six).amounts)
	require.Error(t, s.runsFlag("0"))
	require.Error(t, s.runsFlag("many"))
	assert.Equal(t, []int{10, 10, 5}, portions(25))
}

package linear_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/linear"
)

func TestKeyedJobs(t *testing.T) {
	at := int64(0)
	op := func(kind linear.KeyedKind, job, end string) linear.Operation {
		at += 2
		return linear.Operation{Client: 1, Call: at, Return: at + 1, Input: linear.KeyedInput{Kind: kind, Key: "k"},
			Output: linear.KeyedOutput{Job: job, End: end}}
	}
	open := func(kind linear.KeyedKind) linear.Operation {
		at += 2
		return linear.Operation{Client: int(at), Call: at, Open: true, Input: linear.KeyedInput{Kind: kind, Key: "k"}}
	}
	const submit, status, cancel = linear.KeyedSubmit, linear.KeyedStatus, linear.KeyedCancel
	for name, c := range map[string]struct {
		history []linear.Operation
		want    checker.Verdict
	}{
		"submitted again, and ended": {[]linear.Operation{
			open(submit), op(submit, "a", ""), op(submit, "a", ""), op(status, "a", "failed"), op(status, "a", "failed"),
		}, checker.Holds},
		"two jobs of a key": {[]linear.Operation{op(submit, "a", ""), op(submit, "b", "")}, checker.Violated},
		"forgotten":         {[]linear.Operation{op(submit, "a", ""), op(status, "", "")}, checker.Violated},
		"another end": {[]linear.Operation{
			op(submit, "a", ""), op(status, "a", "failed"), op(status, "a", "succeeded"),
		}, checker.Violated},
		"open again": {[]linear.Operation{
			op(submit, "a", ""), op(status, "a", "failed"), op(status, "a", ""),
		}, checker.Violated},
		"cancelled and open": {[]linear.Operation{op(submit, "a", ""), op(cancel, "a", "")}, checker.Violated},
		"over, and then how": {[]linear.Operation{
			op(submit, "a", ""), op(cancel, "a", linear.KeyedOver), op(status, "a", "failed"),
		}, checker.Holds},
		"cancel without an answer": {[]linear.Operation{
			op(submit, "a", ""), open(cancel), op(status, "a", ""),
		}, checker.Holds},
	} {
		assert.Equal(t, c.want, linear.KeyedJobs().Check(c.history, 0), name)
	}
}

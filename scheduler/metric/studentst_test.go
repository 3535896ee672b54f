package metric

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

// The quantiles are those of gonum, to the bit: intervals and verdicts rest on them.
func TestStudentsTIsThatOfGonum(t *testing.T) {
	for n := 1.0; n < 2_000; n++ {
		require.Equal(t, distuv.StudentsT{Sigma: 1, Nu: n}.Quantile(upper), studentsT(upper, n), n)
	}
}

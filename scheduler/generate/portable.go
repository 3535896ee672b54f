package generate

import "math"

// Package math computes exp and log by machine code on some machines and by Go code on others, and
// compilers may fuse a product with a sum. Their results differ in the last digit, and a run time
// that is rounded to microseconds would now and then differ between machines. The functions below
// give equal results everywhere: sums, products and quotients are rounded by IEEE 754, and fused
// operations are explicit.

// ln 2 in two parts: the first has so few digits that its product with an exponent is exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// Terms of the two series; the next one would be below the last digit of the sum.
const (
	expTerms = 18
	logTerms = 12
)

// exp is e to the power of x, for finite x whose result is finite. It sums the series of the
// remainder modulo ln 2.
func exp(x float64) float64 {
	k := math.Round(x / math.Ln2)
	r := math.FMA(-k, ln2Low, math.FMA(-k, ln2High, x))
	y := 1.0
	for n := expTerms; n >= 1; n-- {
		y = math.FMA(y, r/float64(n), 1)
	}
	return math.Ldexp(y, int(k))
}

// log is the natural logarithm of a positive, finite x. It sums the series of the inverse
// hyperbolic tangent for a number near 1.
func log(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	s := (m - 1) / (m + 1)
	square := float64(s * s)
	y := 0.0
	for n := logTerms; n >= 0; n-- {
		y = math.FMA(y, square, 1/float64(2*n+1))
	}
	k := float64(e)
	return math.FMA(k, ln2High, math.FMA(k, ln2Low, float64(2*s*y)))
}

// log2 is the binary logarithm. It is exact for powers of two.
func log2(x float64) float64 {
	m, e := math.Frexp(x)
	if m == 0.5 {
		return float64(e - 1)
	}
	return log(x) / math.Ln2
}

// exp2 is 2 to the power of x.
func exp2(x float64) float64 { return exp(float64(x * math.Ln2)) }

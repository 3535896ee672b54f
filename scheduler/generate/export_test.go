package generate

// The black-box tests check these against package math and gonum.
var (
	Exp        = exp
	Log        = log
	Log2       = log2
	Exp2       = exp2
	Normal     = normal
	Gamma      = gamma
	GammaBelow = gammaBelow
	DayWeights = dayWeights
)

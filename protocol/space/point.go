package space

// MaxDimensions is the largest number of dimensions of a space.
const MaxDimensions = 8

// MaxCoordinate bounds every coordinate and every upper border. With it a squared distance in
// MaxDimensions dimensions fits into 64 bits.
const MaxCoordinate = 1 << 30

// Point is a point of a space. Dimensions that the space does not have are zero.
type Point [MaxDimensions]int32

package latency

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// ErrMatrix says that a file holds no matrix of latencies.
var ErrMatrix = errors.New("not a matrix of latencies")

// ErrNoData says that a file of measured latencies is not there.
var ErrNoData = errors.New("there are no such latencies")

// maxSites bounds a matrix, and maxFile the text of one in bytes.
const (
	maxSites = 4096
	maxFile  = 1 << 28
)

// Matrix is measured latencies among sites, in nanoseconds, symmetric.
type Matrix [][]int64

// ReadMatrix reads a square of round-trip times in milliseconds, one row a line, packed with gzip
// or not. Of two directions the larger counts.
func ReadMatrix(r io.Reader) (Matrix, error) {
	lines := bufio.NewScanner(io.LimitReader(fileio.Text(io.LimitReader(r, maxFile)), maxFile))
	lines.Buffer(nil, 1<<20)
	var m Matrix
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) > maxSites || len(m) > 0 && len(fields) != len(m[0]) || len(m) >= max(1, len(fields)) {
			return nil, fmt.Errorf("%w: line %d has %d columns; want a square of at most %d", ErrMatrix, len(m)+1,
				len(fields), maxSites)
		}
		row := make([]int64, len(fields))
		for i, f := range fields {
			ms, err := strconv.ParseFloat(f, 64)
			if err != nil || !(ms >= 0 && ms <= 1e6) {
				return nil, fmt.Errorf("%w: line %d, column %d: %.20q is no time in milliseconds, such as 1024.5",
					ErrMatrix, len(m)+1, i+1, f)
			}
			row[i] = int64(math.Round(float64(ms * 1e6)))
		}
		m = append(m, row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMatrix, err)
	}
	if len(m) == 0 || len(m) != len(m[0]) {
		return nil, fmt.Errorf("%w: %d lines are no square", ErrMatrix, len(m))
	}
	for a := range m {
		for b := range a {
			m[a][b] = max(m[a][b], m[b][a])
			m[b][a] = m[a][b]
		}
	}
	return m, nil
}

// Input is the matrix as an input, each site a host.
func (m Matrix) Input(name string) *Input {
	return &Input{Name: name, Hosts: len(m), Nanos: func(a, b int) int64 { return m[a][b] }}
}

// slices490 is how many slices of the PlanetLab measurements there are.
const slices490 = 18

// quarter is how many of them are the lowest quarter.
const quarter = 4

// Sites reads latencies among the 490 PlanetLab nodes of Zhu et al. from a folder: the "median" of
// 18 slices of time, their "mean", or the mean of the "lowest" quarter for each pair.
func Sites(folder, what string) (Matrix, error) {
	switch what {
	case "median":
		return readFile(folder, medianFile)
	case "mean", "lowest":
	default:
		return nil, fmt.Errorf("sites are %q: use median, mean, lowest or plane", what)
	}
	var all []Matrix
	for i := range slices490 {
		m, err := readFile(folder, sliceFile(i))
		if err != nil {
			return nil, err
		}
		if len(all) > 0 && len(m) != len(all[0]) {
			return nil, fmt.Errorf("%w: slice %d has %d sites, the first has %d", ErrMatrix, i+1, len(m), len(all[0]))
		}
		all = append(all, m)
	}
	result, values := all[0], make([]int64, slices490)
	for a := range result {
		for b := range a {
			for i, m := range all {
				values[i] = m[a][b]
			}
			slices.Sort(values)
			some := values
			if what == "lowest" {
				some = values[:quarter]
			}
			sum := int64(0)
			for _, v := range some {
				sum += v
			}
			result[a][b] = sum / int64(len(some))
			result[b][a] = result[a][b]
		}
	}
	return result, nil
}

// medianFile has the medians of all slices.
const medianFile = "planetlab490_median_ms.tsv.gz"

func sliceFile(i int) string { return fmt.Sprintf("planetlab490/PlanetLabData_%d.gz", i+1) }

// ways are the folders in which a file of data may be: the folder of data, its folder latency, or a
// folder latency beside it.
var ways = []string{"", "latency", "../latency"}

// Files lists the files that may be read from a folder of data.
func Files(folder string) []string {
	if folder == "" {
		return nil
	}
	names := []string{medianFile}
	for i := range slices490 {
		names = append(names, sliceFile(i))
	}
	var all []string
	for _, way := range ways {
		for _, name := range names {
			all = append(all, filepath.Join(folder, way, name))
		}
	}
	return all
}

// readFile reads a matrix from a folder of data.
func readFile(folder, name string) (Matrix, error) {
	if folder != "" {
		for _, way := range ways {
			path := filepath.Join(folder, way, name)
			f, err := fileio.Open(path)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("read latencies: %w", err)
			}
			m, err := ReadMatrix(f)
			if err := errors.Join(err, f.Close()); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			return m, nil
		}
	}
	return nil, fmt.Errorf("%w: %s; name the folder that holds it with --data or CANVASS_DATA", ErrNoData, name)
}

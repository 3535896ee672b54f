package checker

import (
	"context"
	"errors"
)

// Check explores every reachable state of the model and decides its properties.
//
// It returns an error only for options or a model that make no sense, a model that breaks its contract
// ([ContractError]) and a model that panics ([PanicError]). Whatever else ends a check early, be it the
// context or a limit, yields a report that says so, in which nothing is decided that was not seen.
func Check(ctx context.Context, m Model, o Options) (*Report, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("checker: Check needs a context; context.Background() is one that never ends a check")
	case m == nil:
		return nil, errors.New("checker: there is no model to check")
	}
	e, err := newEngine(ctx, m, o)
	if err != nil {
		return nil, err
	}
	defer e.close()
	return e.run()
}

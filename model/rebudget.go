package model

// ForBudget returns the system that describe returns for a budget. With describes it anew for
// another budget. So properties can depend on the faults, as one does that presumes that no node
// fails.
func ForBudget(b Budget, describe func(Budget) (Checkable, error)) (Checkable, error) {
	c, err := describe(b)
	if err != nil {
		return nil, err
	}
	return rebudgeted{c, describe}, nil
}

type rebudgeted struct {
	Checkable
	describe func(Budget) (Checkable, error)
}

// With implements [Checkable].
func (r rebudgeted) With(b Budget) (Checkable, error) { return ForBudget(b, r.describe) }

// Safety implements [Safe].
func (r rebudgeted) Safety() Checkable {
	if safe, ok := r.Checkable.(Safe); ok {
		return safe.Safety()
	}
	return r
}

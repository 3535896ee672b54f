package client

import "time"

// Soon looks for reasons every millisecond.
func Soon(reasons bool) notices { return notices{time.Millisecond, time.Millisecond, reasons} }

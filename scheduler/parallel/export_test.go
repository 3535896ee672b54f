package parallel

// Readings are those of the settings.
var Readings = readings

package linear

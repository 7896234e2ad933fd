E<> label(ende)

E<> Gate

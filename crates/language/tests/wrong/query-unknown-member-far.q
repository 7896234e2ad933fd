E<> Gate.occupied

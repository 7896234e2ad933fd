sup: x - Train(0).y

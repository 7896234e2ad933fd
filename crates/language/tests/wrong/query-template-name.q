E<> Trian(0).Cross

A[] not deadlok

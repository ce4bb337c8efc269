import Replica

typealias MemoryReplicaList = MemoryReplicaState.List

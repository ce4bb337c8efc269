/// What is going to happen, by simulated time; of what happens at one time, in an order that the seed decides.
struct EventQueue {
    struct Event {
        let time: Int64
        let tie: UInt64
        let action: () -> Void
    }

    private var heap: [Event] = []

    var isEmpty: Bool { heap.isEmpty }
    var nextTime: Int64? { heap.first?.time }

    mutating func insert(_ event: Event) {
        heap.append(event)
        var child = heap.count - 1
        while child > 0, case let parent = (child - 1) / 2, precedes(child, parent) {
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> Event? {
        guard let last = heap.popLast() else { return nil }
        guard let first = heap.first else { return last }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
                least = child
            }
            if least == parent { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private func precedes(_ one: Int, _ other: Int) -> Bool {
        (heap[one].time, heap[one].tie) < (heap[other].time, heap[other].tie)
    }
}

import Sync
import TandemItems

/// A hub, a store and the requests between them, in the fewest words in which they can still lose something: lists of
/// numbers in place of items. Requests advance step by step, so that anything can happen between two steps.
struct SyncEngineWorld {
    /// A list in the store. Its cursor is the part of the hub's log that it has seen.
    struct StoreList {
        var cursor: [Int]?
        var pending: [Int] = []
        var confirmed: Set<Int> = []
    }

    enum Step { case asked, atHub, inStore }

    struct Flight {
        let action: SyncEngine.Action
        let era: Int
        var step = Step.asked
        var isAbandoned = false
        var batch: [Int] = []
        var since: [Int]?
        var heads: [ListName: Int] = [:]
        var log: [Int] = []
        var answer: SyncEngine.Event?
    }

    enum Stream { case closed, opening, open }

    var engine: SyncEngine
    var hub: [ListName: [Int]] = [:]
    var store: [ListName: StoreList] = [:]
    var flights: [Flight] = []
    var stream = Stream.closed
    var told: [(ListName, Int)] = []
    var editNews: [ListName] = []
    var timers: Set<SyncEngine.Timer> = []
    var asked: Set<Int> = []
    var reported: [Int: HubError?] = [:]
    var faults: [String] = []
    var lastID = 0
    var trace: [SyncEngine.Event] = []
    let pageSize = 3

    init(lists: [ListName], hub count: Int = 2, pulled: Int? = 2, random: UInt64 = 0) {
        var tuning = SyncTuning()
        tuning.pushLimit = 3
        engine = .fixture(tuning, random: random)
        for list in lists {
            hub[list] = (0..<count).map { _ in nextID() }
            let cursor = pulled.map { Array(hub[list, default: []].prefix($0)) }
            store[list] = StoreList(cursor: cursor, confirmed: Set(cursor ?? []))
        }
    }

    var lists: [ListName] { store.keys.sorted() }

    /// The timer that fires next if they all wait: the interval of polling is the longest.
    var nextTimer: SyncEngine.Timer? {
        [SyncEngine.Timer.retry, .reopen, .poll].first(where: timers.contains)
    }

    /// Whether a hub that goes back behind the list's end is found out by its cursor.
    func knowsOnlyWhatItPulled(_ list: ListName) -> Bool {
        flights.isEmpty && store[list]?.confirmed == Set(store[list]?.cursor ?? [])
    }

    /// Whether the hub's log is not longer than what the store has seen.
    func isNoLonger(_ list: ListName) -> Bool { hub[list]?.count ?? 0 <= store[list]?.cursor?.count ?? 0 }

    private mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// Gives the engine an event and does what it says; anything that it must not say is a fault.
    mutating func feed(_ event: SyncEngine.Event, of era: Int? = nil) {
        trace.append(event)
        let actions = engine.handle(event, of: era ?? engine.era)
        if actions.count > 2 * lists.count + 8 { faults.append("\(actions.count) actions for \(event)") }
        for action in actions { carryOut(action) }
    }

    private mutating func carryOut(_ action: SyncEngine.Action) {
        switch action {
        case .start(let timer, _): timers.insert(timer)
        case .stop(let timer): timers.remove(timer)
        case .openStream:
            if stream != .closed { faults.append("a second stream") }
            stream = .opening
        case .closeStream: (stream, told) = (.closed, [])
        case .abandonRequests: for index in flights.indices { flights[index].isAbandoned = true }
        case .report(let numbers, let error):
            for number in numbers {
                if !asked.contains(number) || reported[number] != nil { faults.append("\(number) reported twice") }
                reported[number] = .some(error)
            }
        case .greet, .push, .pull, .quarantineFirst, .offerAgain:
            let same = flights.contains { !$0.isAbandoned && $0.action.isSameRequest(as: action) }
            if same { faults.append("a second \(action)") }
            flights.append(Flight(action: action, era: engine.era))
        }
    }

    // MARK: What people do

    mutating func edit(_ list: ListName) {
        let id = nextID()
        store[list]?.pending.append(id)
        editNews.append(list)
    }

    mutating func editElsewhere(_ list: ListName) {
        let id = nextID()
        hub[list]?.append(id)
        tell(list)
    }

    mutating func ask(_ number: Int) {
        asked.insert(number)
        feed(.syncRequested(number))
    }

    mutating func restoreHub(_ list: ListName, to count: Int) {
        hub[list] = Array(hub[list, default: []].prefix(count))
    }

    private mutating func tell(_ list: ListName) {
        if stream == .open { told.append((list, hub[list]?.count ?? 0)) }
    }

    // MARK: What comes of itself

    mutating func deliverEdit() { if !editNews.isEmpty { feed(.edited(editNews.removeFirst())) } }

    mutating func deliverHead() {
        guard !told.isEmpty else { return }
        let (list, head) = told.removeFirst()
        feed(.told(.head(list, Version(Int64(head)))))
    }

    mutating func openStream() {
        stream = .open
        for list in lists { tell(list) }
        feed(.streamOpened)
    }

    mutating func breakStream() {
        (stream, told) = (.closed, [])
        feed(.streamEnded(.cut))
    }

    mutating func fire(_ timer: SyncEngine.Timer) {
        guard timers.remove(timer) != nil else { return }
        feed(.fired(timer))
    }

    /// The request goes one step on: to the hub, to the store, back to the engine.
    mutating func advance(_ index: Int) {
        switch flights[index].step {
        case .asked: reachHub(index)
        case .atHub: reachStore(index)
        case .inStore:
            let flight = flights.remove(at: index)
            if let answer = flight.answer { feed(answer, of: flight.era) }
        }
    }

    mutating func fail(_ index: Int, _ error: HubError) {
        let flight = flights.remove(at: index)
        switch flight.action {
        case .greet: feed(.greeted(.failure(error)), of: flight.era)
        case .push(let list, _): feed(.pushed(list, .failure(error)), of: flight.era)
        case .pull(let list): feed(.pulled(list, .failure(error)), of: flight.era)
        default: feed(.storeFailed("full"), of: flight.era)
        }
    }

    private mutating func reachHub(_ index: Int) {
        flights[index].step = .atHub
        switch flights[index].action {
        case .greet: flights[index].heads = hub.mapValues(\.count)
        case .push(let list, let limit):
            flights[index].batch = Array(store[list]?.pending.prefix(limit) ?? [])
            for id in flights[index].batch where hub[list]?.contains(id) == false {
                hub[list]?.append(id)
                tell(list)
            }
        case .pull(let list):
            flights[index].since = store[list]?.cursor
            flights[index].log = hub[list] ?? []
        default: break
        }
    }

    private mutating func reachStore(_ index: Int) {
        let flight = flights[index]
        flights[index].step = .inStore
        switch flight.action {
        case .greet: flights[index].answer = .greeted(.success(lists.map { standing($0, flight.heads) }))
        case .push(let list, _):
            store[list]?.pending.removeAll(where: flight.batch.contains)
            store[list]?.confirmed.formUnion(flight.batch)
            flights[index].answer = pushed(list)
        case .pull(let list): flights[index].answer = take(flight, list)
        case .quarantineFirst(let list, _):
            if store[list]?.pending.isEmpty == false { store[list]?.pending.removeFirst() }
            flights[index].answer = pushed(list)
        case .offerAgain(let list):
            let confirmed = store[list]?.confirmed.sorted() ?? []
            store[list]?.pending.insert(contentsOf: confirmed, at: 0)
            store[list]?.confirmed = []
            store[list]?.cursor = nil
            flights[index].answer = .offeredAgain(list)
        default: break
        }
    }

    private mutating func take(_ flight: Flight, _ list: ListName) -> SyncEngine.Event {
        let head = Version(Int64(flight.log.count))
        let since = flight.since ?? []
        guard flight.log.starts(with: since) else { return .pulled(list, .failure(HubError(.historyDiverged, ""))) }
        if store[list]?.cursor == flight.since {
            let page = Array(flight.log.prefix(since.count + pageSize))
            store[list]?.cursor = page
            store[list]?.confirmed.formUnion(page)
        }
        let cursor = store[list]?.cursor.map { Version(Int64($0.count)) }
        return .pulled(list, .success(.init(cursor: cursor, head: head)))
    }

    private func pushed(_ list: ListName) -> SyncEngine.Event {
        .pushed(list, .success(.init(hasPending: store[list]?.pending.isEmpty == false)))
    }

    private func standing(_ list: ListName, _ heads: [ListName: Int]) -> SyncEngine.Standing {
        SyncEngine.Standing(
            list: list, canPush: true, hasPending: store[list]?.pending.isEmpty == false,
            cursor: store[list]?.cursor.map { Version(Int64($0.count)) }, head: Version(Int64(heads[list] ?? 0)))
    }
}

extension SyncEngine.Action {
    /// Whether both ask for the same of the same list; what quarantines is a push.
    fileprivate func isSameRequest(as other: Self) -> Bool {
        switch (self, other) {
        case (.greet, .greet): true
        case (.push(let one, _), .push(let two, _)), (.push(let one, _), .quarantineFirst(let two, _)),
            (.quarantineFirst(let one, _), .push(let two, _)), (.pull(let one), .pull(let two)),
            (.pull(let one), .offerAgain(let two)), (.offerAgain(let one), .pull(let two)):
            one == two
        default: false
        }
    }
}

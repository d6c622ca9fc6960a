// Delivers progress and events to a function of the program, on the actor in whose code the function is written.

internal import RoutableClient
internal import RoutableCore

/// Calls a function with values, in the order of the values, one call after the other, on the actor of the function.
///
/// The threads of the library add values and do not wait.  The task that performs a request waits for the calls at its end, so that no call
/// follows the outcome of the request.
final class Delivery<Value: Sendable>: Sendable {
    typealias Function = @isolated(any) @Sendable (Value) -> Void

    /// The values that are buffered during a call.
    enum Backlog { case all, newest }

    private struct State {
        var waiting: [Value] = []
        var isRunning = false
        var added: UInt64 = 0
        var waiters: [(mark: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let backlog: Backlog
    private let function: Function
    private let state = Locked(State())

    init(_ backlog: Backlog, to function: @escaping Function) {
        self.backlog = backlog
        self.function = function
    }

    /// Adds a value, and returns immediately.
    func add(_ value: Value) {
        let begins = state.withLock { state -> Bool in
            if backlog == .newest { state.waiting.removeAll(keepingCapacity: true) }
            state.waiting.append(value)
            state.added &+= 1
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if begins { Task { await run() } }
    }

    /// Waits until the function has returned for all values that were added before.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state -> Bool in
                if !state.isRunning { return true }
                state.waiters.append((state.added, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    private func run() async {
        var delivered: UInt64 = 0
        while let (values, mark) = next(after: delivered) {
            for value in values { await function(value) }
            delivered = mark
        }
    }

    /// Resumes the waiters whose values were delivered, and takes the buffered values; nil if there are none, which ends the run.
    private func next(after delivered: UInt64) -> ([Value], UInt64)? {
        let (ended, taken) = state.withLock { state -> ([CheckedContinuation<Void, Never>], ([Value], UInt64)?) in
            // A run ends only after all values were delivered.
            let isOver = state.waiting.isEmpty
            let ended = state.waiters.filter { isOver || $0.mark <= delivered }.map { $0.continuation }
            state.waiters.removeAll { isOver || $0.mark <= delivered }
            state.isRunning = !isOver
            defer { state.waiting = [] }
            return (ended, isOver ? nil : (state.waiting, state.added))
        }
        for continuation in ended { continuation.resume() }
        return taken
    }
}

extension ClientCore {
    /// Waits until the program has received the events that were reported before.
    func deliverEvents() async {
        if let delivery = hook?.owner as? Delivery<Event> { await delivery.finish() }
    }
}

// The routers of declared APIs, each opened on first use and kept until the process ends.

internal import Foundation
internal import RoutableCore
internal import RoutableDocuments
internal import Synchronization

enum OpenedAPIs {
    /// A node of a list that only grows at its front, and is read without a lock.
    private final class Node: Sendable {
        let api: ObjectIdentifier
        let planned: PlannedRouter
        let next: Node?

        init(_ api: ObjectIdentifier, _ planned: PlannedRouter, _ next: Node?) {
            self.api = api
            self.planned = planned
            self.next = next
        }
    }

    /// The address of the first node, or 0.  Nodes live as long as the process.
    private static let first = Atomic<UInt>(0)
    private static let lock = NSLock()

    static func planned(_ api: any API.Type) throws(Failure) -> PlannedRouter { try lasting(api).takeUnretainedValue() }

    /// The same as an unmanaged reference, without reference counting: the object is never deallocated.
    static func lasting(_ api: any API.Type) throws(Failure) -> Unmanaged<PlannedRouter> {
        let key = ObjectIdentifier(api)
        if let known = known(key) { return known }
        let made = PlannedRouter(try api.openedRouter())
        lock.lock()
        defer { lock.unlock() }
        // If two threads opened the API at the same time, the first router is kept.
        if let known = known(key) { return known }
        let next = UnsafeRawPointer(bitPattern: first.load(ordering: .acquiring)).map {
            Unmanaged<Node>.fromOpaque($0).takeUnretainedValue()
        }
        let node = Node(key, made, next)
        first.store(UInt(bitPattern: Unmanaged.passRetained(node).toOpaque()), ordering: .releasing)
        return Unmanaged.passUnretained(made)
    }

    @inline(__always)
    private static func known(_ key: ObjectIdentifier) -> Unmanaged<PlannedRouter>? {
        var place = UnsafeRawPointer(bitPattern: first.load(ordering: .acquiring))
        while let pointer = place {
            let node = Unmanaged<Node>.fromOpaque(pointer)
            if let planned = node._withUnsafeGuaranteedRef({ $0.api == key ? Unmanaged.passUnretained($0.planned) : nil }) {
                return planned
            }
            place = node._withUnsafeGuaranteedRef {
                $0.next.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
            }
        }
        return nil
    }
}

/// A value that is protected by a lock.
final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ use: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return use(&value)
    }
}

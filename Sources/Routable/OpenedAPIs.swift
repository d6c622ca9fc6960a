// The routers of declared APIs, each opened when it is first asked for and kept as long as the process lives.

internal import Foundation
internal import RoutableCore
internal import RoutableJSON

enum OpenedAPIs {
    private static let opened = Locked<[ObjectIdentifier: PlannedRouter]>([:])

    static func planned(_ api: any API.Type) throws(Failure) -> PlannedRouter {
        let key = ObjectIdentifier(api)
        if let known = opened.withLock({ $0[key] }) { return known }
        let made = PlannedRouter(try open(api))
        // Two threads may have made one at once: the first stays.
        return opened.withLock { all in
            let kept = all[key] ?? made
            all[key] = kept
            return kept
        }
    }

    private static func open(_ api: any API.Type) throws(Failure) -> Router {
        let document = api.document
        let description =
            document.isEmpty
            ? api.description : try document.withBuffer { (text) throws(Failure) in try RouteDocument.read(text, limit: Limits.documentBytes) }
        return try Router.open(description, codec: try JSONCodec(types: description.types))
    }
}

extension Bytes {
    /// Closures of the standard library do not carry typed errors.
    func withBuffer<Result>(_ use: (UnsafeRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result {
        let result = storage.withUnsafeBytes { (buffer) -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try use(buffer)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// A value behind a lock.
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

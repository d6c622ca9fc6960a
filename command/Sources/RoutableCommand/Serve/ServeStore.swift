// The file in which `routable serve --store` stores the members of the mock.

import CServe
import RoutableCore
import RoutableMock

/// A database file of SQLite.  It is used only with the lock of the mock, or while the mock is not served.
final class ServeStore: @unchecked Sendable {
    private let handle: OpaquePointer
    private let name: Bytes
    /// For each collection, the removed member with the highest number: this number is not used for a new id.
    private var removed: [Bytes: (number: Int64, path: Bytes)] = [:]

    private init(_ handle: OpaquePointer, _ name: Bytes) {
        self.handle = handle
        self.name = name
    }

    static func open(_ path: String) throws -> ServeStore {
        let name = Bytes(path).printable
        var handle: OpaquePointer?
        var reason = [CChar](repeating: 0, count: 512)
        let status = Int(cserve_store_open(path, &handle, &reason, reason.count))
        let why = reason.withUnsafeBufferPointer { $0.baseAddress.map { Bytes(cString: $0) } ?? Bytes() }
        switch status {
        case CSERVE_STORE_OK: if let handle { return ServeStore(handle, name) }
        case CSERVE_STORE_ABSENT: throw Missing.library("libsqlite3.so.0", "libsqlite3-0", why)
        case CSERVE_STORE_LOCKED:
            throw Failure(.file, "\(name): another process has opened the store: end it, or use another file")
        case CSERVE_STORE_OTHER:
            throw Failure(.file, "\(name): the file is no store of routable serve: use another file")
        case CSERVE_STORE_DAMAGED:
            throw Failure(.file, "\(name): the store is damaged: restore a copy of it, or remove it to begin with an empty one")
        case CSERVE_STORE_NEWER:
            throw Failure(.file, "\(name): a later version of routable has written the store")
        default: break
        }
        throw Failure(.file, "\(name): \(why)")
    }

    func close() { cserve_store_close(handle) }

    private func failure() -> Failure {
        Failure(.file, "\(name): the store cannot be written: \(Bytes(cString: cserve_store_reason(handle)))")
    }

    // MARK: Reading

    private final class Loading {
        let store: ServeStore
        let mock: Mock
        var failure: Failure?

        init(_ store: ServeStore, _ mock: Mock) {
            self.store = store
            self.mock = mock
        }
    }

    /// Loads all members into the mock.
    ///
    /// - Parameter title: the title of the description, which is stored on the first call.
    /// - Throws: `file` for a store of another description.
    func load(into mock: Mock, title: Bytes) throws(Failure) {
        if let note = cserve_store_note(handle, "description") {
            let known = Bytes(cString: note)
            if known != title {
                throw Failure(
                    .file,
                    "\(name): the store is of the description \"\(known.printable)\", and this is \"\(title.printable)\": use another file"
                )
            }
        } else if cserve_store_set_note(handle, "description", title.string) != CSERVE_STORE_OK {
            throw failure()
        }
        let loading = Loading(self, mock)
        let status = cserve_store_each(
            handle,
            { context, path, json, version in
                guard let context else { return 1 }
                let loading = Unmanaged<Loading>.fromOpaque(context).takeUnretainedValue()
                do throws(Failure) {
                    try loading.store.restore(Bytes(path), json.count == 0 ? nil : Bytes(json), Int(version), loading.mock)
                    return Int32(CSERVE_STORE_OK)
                } catch {
                    loading.failure = error
                    return Int32(CSERVE_STORE_FAILED)
                }
            }, Unmanaged.passUnretained(loading).toOpaque())
        if let failure = loading.failure { throw failure }
        if Int(status) != CSERVE_STORE_OK {
            throw Failure(.file, "\(name): the store cannot be read: \(Bytes(cString: cserve_store_reason(handle)))")
        }
    }

    private func restore(_ path: Bytes, _ json: Bytes?, _ version: Int, _ mock: Mock) throws(Failure) {
        guard try mock.hasPath(path) else {
            throw Failure(
                .file,
                "\(name): the store has /\(path.printable), which is no path of the description with this base path: use another file"
            )
        }
        do throws(Failure) { try mock.restore(path, json: json, version: version) } catch {
            throw Failure(.file, "\(name): the store is damaged at /\(path.printable): \(error.message)")
        }
        if json == nil, let (collection, number) = Self.number(path) { removed[collection] = (number, path) }
    }

    /// The collection and the number of a member whose id is an integer.
    private static func number(_ path: Bytes) -> (collection: Bytes, number: Int64)? {
        guard let slash = path.storage.lastIndex(of: UInt8(ascii: "/")),
            let number = Int64(String(decoding: path.storage[(slash + 1)...], as: UTF8.self))
        else { return nil }
        return (Bytes(path.storage[..<slash]), number)
    }

    // MARK: Writing

    /// Writes the changes of one request.  They are on the disk when the function returns.
    ///
    /// - Throws: `file`; then none of the changes is written.
    func write(_ changes: [MockChange]) throws(Failure) {
        let before = removed
        var status = cserve_store_begin(handle)
        for change in changes where Int(status) == CSERVE_STORE_OK { status = write(change) }
        if Int(status) == CSERVE_STORE_OK { status = cserve_store_commit(handle) }
        if Int(status) == CSERVE_STORE_OK { return }
        let failure = failure()
        cserve_store_roll_back(handle)
        removed = before
        throw failure
    }

    private func write(_ change: MockChange) -> Int32 {
        change.path.withView { path in
            if let json = change.json {
                return json.withView { cserve_store_put(handle, path, $0, Int64(change.version)) }
            }
            var status = cserve_store_remove(handle, path)
            if !removed.isEmpty { removed = removed.filter { $0.key != change.path && !$0.key.hasPrefix("\(change.path)/") } }
            guard Int(status) == CSERVE_STORE_OK, let (collection, number) = Self.number(change.path) else { return status }
            if let last = removed[collection] {
                if last.number >= number { return status }
                status = last.path.withView { cserve_store_remove(handle, $0) }
            }
            removed[collection] = (number, change.path)
            return Int(status) == CSERVE_STORE_OK ? cserve_store_put(handle, path, cserve_bytes(), 0) : status
        }
    }
}

/// The failure for a library that is loaded at run time and is not installed.
enum Missing {
    static func library(_ file: Bytes, _ package: Bytes, _ reason: Bytes) -> Staged {
        Staged(
            failure: Failure(
                .unsupported,
                "\(file) cannot be opened (\(reason.printable)); install it, on Debian with: apt install \(package)"),
            ending: .transfer)
    }
}

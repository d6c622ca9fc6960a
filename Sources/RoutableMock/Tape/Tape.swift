// A tape: records the exchanges of clients in a file, and replays them (docs/tape.md).
//
// A tape is called between a client and its transport or libcurl, below redirects, retries, pages and credentials, so that each attempt
// and each token request is one entry.  The key of an entry is the call of its request (TapeKey).  Before the file is written,
// TapeRedactor removes the secrets.

internal import CSystem
package import RoutableCore
package import RoutablePerform
internal import RoutableService

/// The mode of a tape: whether it records or replays exchanges.
package enum TapeMode: Int32, Sendable {
    case auto, record, replay, check
}

/// Options of a tape.
package struct TapeOptions {
    package var mode = TapeMode.auto
    package var allowsUnused = false
    /// The names of further secrets.
    package var names: [Bytes] = []
    /// Values that are removed wherever they occur.
    package var secrets: [Bytes] = []

    package init() {}
}

/// A tape of one description.  Any thread may use it.
package final class Tape: @unchecked Sendable {
    private let router: PlannedRouter
    private let path: Bytes
    private let options: TapeOptions
    private let mode: TapeMode
    private let keys: TapeRedactor
    private let lock = csystem_lock_new()
    // Guarded by the lock.
    private var entries: [TapeEntry] = []
    private var entryKeys: [TapeKey] = []
    /// The entries of each key, and the number of entries that were used.
    private var calls = KeyedValues<Bytes, Uses>()
    private var recorded: [Recording] = []
    private var missing: Failure?
    /// The digest of the file when this tape last read or wrote it; nil if there is no file.
    private var digest: Bytes?
    private var isChanged = false

    private struct Uses {
        var entries: [Int] = []
        var used = 0
    }

    /// An exchange that is recorded; its reply is nil until it arrives.
    private struct Recording {
        let exchange: TransportExchange
        var reply: TransportReply?
    }

    package static func open(_ router: PlannedRouter, _ path: Bytes, _ options: TapeOptions) throws(Failure) -> Tape {
        let tape = Tape(router, path, options)
        try tape.load()
        return tape
    }

    // In Embedded Swift, the memory of an object whose `init` throws is not freed.
    private init(_ router: PlannedRouter, _ path: Bytes, _ options: TapeOptions) {
        self.router = router
        self.path = path
        self.options = options
        mode = options.mode == .auto && Environment.has("CI") ? .replay : options.mode
        keys = TapeRedactor(router, options, isKey: true)
        isChanged = mode == .record
    }

    deinit { csystem_lock_free(lock) }

    private func locked<Result>(_ body: () -> Result) -> Result {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return body()
    }

    private var records: Bool { mode == .auto || mode == .record }

    // MARK: - Opening

    private func load() throws(Failure) {
        let text = try TapeFile.bytes(path)
        digest = text.map { SHA256.digest($0) }
        if mode == .record { return }
        guard let text else {
            if mode == .auto { return }
            let why: Bytes = options.mode == .auto ? "; nothing is recorded while the environment variable CI is set" : ""
            throw Failure(.file, "there is no tape \(path.printable): record it first\(why)")
        }
        do throws(Failure) {
            entries = try TapeFile.entries(text)
            var refusals: [Failure] = []
            for (index, entry) in entries.enumerated() {
                try Memory.check()
                let key = try TapeKey(entry.request, keys)
                let place = calls.place(of: key.text, adding: Uses())
                calls.values[place].entries.append(index)
                do throws(Failure) { try check(entry, key) } catch {
                    if error.status == .memory { throw error }
                    let reason = "\(name(index)): the description no longer allows it: \(error.message)" as Bytes
                    refusals.append(
                        Failure(.document, reason) { $0.pointer = "/log/entries/\(index)\(error.fields.pointer ?? Bytes())" })
                    if mode != .check || refusals.count >= Limits.errors { break }
                }
                var kept = key
                kept.received = nil
                entryKeys.append(kept)
            }
            if let failure = Failure.chained(refusals) { throw failure }
        } catch {
            throw error.status == .memory ? error : error.with { $0.message = "\(path.printable): \($0.message)" }
        }
    }

    /// Compares an entry with the description.
    private func check(_ entry: TapeEntry, _ key: TapeKey) throws(Failure) {
        if !entry.operation.isEmpty {
            if let refusal = key.refusal { throw refusal }
            if key.label != entry.operation { throw Failure(.document, "the request is now one of \(key.label)") }
        }
        guard mode == .check, entry.reply.curlCode == 0, let received = key.received else { return }
        var options = ReplyOptions()
        options.contentType = entry.reply.headers.value(of: "Content-Type")
        let body = entry.reply.body.bytes
        // The client follows a redirect, which needs no declaration.
        if (300...399).contains(entry.reply.status) { return }
        do throws(Failure) { _ = try received.reply(entry.reply.status, body.isEmpty ? .none : .bytes(body), options) } catch {
            // The Accept header of the request is not compared: a service may send another media type.
            if error.fields.httpStatus != 406 { throw error }
        }
    }

    private func name(_ index: Int) -> Bytes {
        let entry = entries[index]
        let operation = entry.operation.isEmpty ? "" : ", \(entry.operation.printable)" as Bytes
        return "entry \(index &+ 1) (\(entry.request.method.printable) \(Base.shown(entry.request.url).printable)\(operation))"
    }

    // MARK: - A client

    /// Inserts the tape between a client and its transport or libcurl.
    package func attach(to options: inout ClientOptions) throws(Failure) {
        try options.insert(records: records) { self.answer($0, $1) }
    }

    /// Replies to an attempt from the tape, or records the reply of `below`.
    private func answer(_ exchange: TransportExchange, _ below: HostTransport?) {
        do throws(Failure) {
            if mode != .record, let reply = try replay(exchange, isLast: !records) {
                try exchange.reply(reply)
                return
            }
        } catch {
            try? exchange.reply(TransportReply(error))  // the request fails with it
            return
        }
        let place = locked { () -> Int in
            recorded.append(Recording(exchange: exchange))
            return recorded.count &- 1
        }
        exchange.observe { reply in
            self.locked {
                self.recorded[place].reply = reply
                self.isChanged = true
            }
        }
        below?.send(exchange)
    }

    /// The reply of the tape; nil if it has none and the exchange is to be recorded.
    private func replay(_ exchange: TransportExchange, isLast: Bool) throws(Failure) -> TransportReply? {
        let key = try TapeKey(TapeRequest(exchange), keys)
        return try locked { () -> Result<TransportReply?, Failure> in
            if let place = calls.place(of: key.text) {
                let uses = calls.values[place]
                if uses.used < uses.entries.count {
                    calls.values[place].used &+= 1
                    return .success(entries[uses.entries[uses.used]].reply)
                }
            }
            if !isLast { return .success(nil) }
            let failure = lacking(key)
            if missing == nil { missing = failure }
            return .failure(failure)
        }.get()
    }

    /// The failure for a request for which the tape has no reply.  The caller holds the lock.
    private func lacking(_ key: TapeKey) -> Failure {
        var message: Bytes = "the tape \(path.printable) has no exchange for \(key.label.printable)"
        if let uses = calls[key.text] {
            message.append(
                "; \(name(uses.entries.first ?? 0)) is used up: the call was recorded \(uses.entries.count) times, and made again"
            )
            return Failure(.callback, message)
        }
        var best: (count: Int, index: Int, text: Bytes)?
        for index in entryKeys.indices where entryKeys[index].label == key.label {
            let (count, text) = key.differences(from: entryKeys[index])
            if count < best?.count ?? .max { best = (count, index, text) }
        }
        if let best {
            message.append("; the nearest is \(name(best.index)), which differs: \(best.text)")
        } else {
            var labels: [Bytes] = []
            for key in entryKeys where !labels.contains(key.label) && labels.count < 24 { labels.append(key.label.printable) }
            message.append(labels.isEmpty ? "; it is empty" : "; it has: \(labels)")
        }
        if let refusal = key.refusal { message.append(".  The request is no call of the description: \(refusal.message)") }
        return Failure(.callback, message)
    }

    // MARK: - Finishing

    /// Writes the recorded exchanges, and reports exchanges that are missing on the tape and entries that were not used.
    package func finish() throws(Failure) {
        try save()
        let (missing, unused) = locked { () -> (Failure?, [Int]) in
            var unused: [Int] = []
            for uses in calls.values { unused += uses.entries.dropFirst(uses.used) }
            return (self.missing, unused.ordered { $0 < $1 })
        }
        if let missing { throw missing }
        guard !options.allowsUnused, let first = unused.first else { return }
        let others: Bytes = unused.count > 1 ? ", and \(unused.count &- 1) further entries" : ""
        throw Failure(.callback, "\(path.printable): \(name(first))\(others) was not used")
    }

    private func save() throws(Failure) {
        let recorded = locked { () -> [Recording]? in isChanged ? self.recorded : nil }
        guard let recorded else { return }
        let redactor = TapeRedactor(router, options, isKey: false)
        // The redactor runs twice: a secret may occur before the place at which it is recognized.
        var written: [TapeEntry] = []
        for isFinal in [false, true] {
            if isFinal { redactor.finish() }
            for each in recorded {
                try Memory.check()
                guard let reply = each.reply?.recordable, let entry = try redacted(each.exchange, reply, redactor) else {
                    continue
                }
                if isFinal { written.append(entry) }
            }
        }
        let text = TapeFile.text(entries + written)
        if text.count > TapeFile.maximumBytes {
            throw Failure(.limit, "\(path.printable): the tape would be over \(TapeFile.maximumBytes) bytes")
        }
        try Memory.check()
        if try TapeFile.bytes(path).map({ SHA256.digest($0) }) != digest {
            throw Failure(
                .file, "\(path.printable) was changed since the tape was opened, perhaps by another tape of the same file")
        }
        let code = path.withCString { name in
            text.storage.withUnsafeBytes { bytes in
                bytes.baseAddress.map { csystem_write_private(name, $0, bytes.count) } ?? 0
            }
        }
        if code != 0 { throw .file("written", path, code) }
        locked {
            digest = SHA256.digest(text)
            if self.recorded.count == recorded.count { isChanged = false }
        }
    }

    private func redacted(
        _ exchange: TransportExchange, _ reply: TransportReply, _ redactor: TapeRedactor
    ) throws(Failure) -> TapeEntry? {
        var request = TapeRequest(exchange)
        let key = try TapeKey(request, keys)
        let context = key.context
        context.secretHeaders = exchange.secretHeaders
        let codec = router.router.codec
        let operation = key.context.plan?.operation
        let type = request.contentType
        // The secrets of a compressed body are found in its uncompressed content.
        if let received = key.received, request.headers.value(of: "Content-Encoding") != nil {
            request.headers = request.headers.filter {
                !$0.name.isName("content-encoding") && !$0.name.isName("content-length")
            }
            request.body = Bytes(received.body)
        }
        request.url = redactor.url(request.url, context)
        if let body = request.body {
            let schema = try? operation?.bodySchema(type.isEmpty ? nil : type)
            var checker: (any ValueChecker)?
            if let schema { checker = try codec?.checker(of: schema.type, for: schema.use) }
            request.body = try redactor.body(body, type, checker, context)
        }
        request.headers = redactor.headers(request.headers, context)
        if let boundary = MediaType(type)?.parameter("boundary"), type.hasPrefix("multipart/") {
            let constant: Bytes = "routable-boundary"
            request.body = request.body.map { $0.replacing(boundary, with: constant) ?? $0 }
            request.headers = request.headers.map {
                guard $0.name.isName("content-type"), let value = $0.value.replacing(boundary, with: constant) else {
                    return $0
                }
                return HeaderField($0.name, value)
            }
        }
        // The base path of the description does not have to be stored in the entry.
        if request.basePath != nil, let place = try? router.place(request.target, method: request.method, basePath: nil),
            place.plan.map({ TapeKey.label($0) }) == key.label
        {
            request.basePath = nil
        }
        var kept = reply
        let answerType = reply.headers.value(of: "Content-Type") ?? Bytes()
        let schema = try? operation?.resultSchema(reply.status)
        var checker: (any ValueChecker)?
        if let schema { checker = try codec?.checker(of: schema.type, for: schema.use) }
        kept.body = Text(try redactor.body(reply.body.bytes, answerType, checker, context))
        kept.headers = redactor.headers(reply.headers, context)
        var entry = TapeEntry(request: request, reply: kept)
        if let plan = key.context.plan { entry.operation = TapeKey.label(plan) }
        entry.json = try TapeFile.json(entry)
        return entry
    }
}

extension TapeRequest {
    init(_ exchange: TransportExchange) {
        self.init(
            method: exchange.method.bytes, url: exchange.url.bytes, headers: exchange.headers.fields,
            body: exchange.body?.bytes,
            basePath: exchange.basePath)
    }
}

extension TransportReply {
    /// The reply as a tape stores it: a response, or a failure of the network; nil for a failure that the program caused.
    fileprivate var recordable: TransportReply? {
        guard let failure else { return self }
        guard failure.status == .transfer || failure.status == .timeout else { return nil }
        var reply = TransportReply()
        let code = curlCode != 0 ? curlCode : failure.fields.curlCode
        reply.curlCode = code != 0 ? code : failure.status == .timeout ? 28 : 56
        return reply
    }
}

// Connects a mock to the HTTP server: reads each request from the memory of the server, and passes the response to the server.

import CServe
import Glibc
import RoutableCore
import RoutableMock
import RoutableService
import Synchronization

extension Bytes {
    init(_ view: cserve_bytes) {
        self.init(UnsafeRawBufferPointer(start: view.bytes, count: view.bytes == nil ? 0 : view.count))
    }

    func withView<Result>(_ use: (cserve_bytes) -> Result) -> Result {
        storage.withUnsafeBufferPointer { use(cserve_bytes(bytes: $0.baseAddress, count: $0.count)) }
    }
}

/// The coverage of a description.  It is made when it is first used, so that the server is ready earlier.
final class LateCoverage: Sendable {
    private let router: PlannedRouter
    private let basePath: Bytes?
    private let made = Mutex<Result<Coverage, Failure>?>(nil)

    init(_ router: PlannedRouter, basePath: Bytes?) {
        self.router = router
        self.basePath = basePath
    }

    func get() throws(Failure) -> Coverage {
        let result = made.withLock { made -> Result<Coverage, Failure> in
            if let made { return made }
            let result: Result<Coverage, Failure>
            do throws(Failure) { result = .success(try Coverage.make(router, basePath: basePath)) } catch {
                result = .failure(error)
            }
            made = result
            return result
        }
        return try result.get()
    }
}

/// A mock behind an HTTP server.  The threads of the server call it concurrently.
final class MockServer: Sendable {
    /// The access of pages of other origins, the delay of all responses, and the limits of the size and the time of a request.
    struct Options: Sendable {
        var allowsOrigins = false
        var delayMilliseconds: Int64 = 0
        var maximumBodyBytes: UInt64 = 16 << 20
        var timeoutMilliseconds: UInt32 = 60_000
    }

    private let mock: Mock
    private let coverage: LateCoverage
    private let log: ServeLog
    private let options: Options

    /// The maximum number of simultaneous connections, and the maximum size of all their bodies together.
    static let connections: UInt32 = 2000
    static let totalBytes: UInt64 = 256 << 20
    private static let threads: UInt32 = 4
    /// The time for which the fault `timeout` keeps a connection open.
    private static let heldMilliseconds: Int64 = 60_000

    init(_ mock: Mock, _ coverage: LateCoverage, _ log: ServeLog, _ options: Options) {
        self.mock = mock
        self.coverage = coverage
        self.log = log
        self.options = options
    }

    /// Starts the server, which runs until `cserve_stop`.  The object must be retained until then.
    func start(_ listener: Int32) throws(Failure) -> OpaquePointer {
        var given = cserve_options(
            listener: listener, threads: Self.threads, connections: Self.connections, body_bytes: options.maximumBodyBytes,
            total_bytes: max(Self.totalBytes, options.maximumBodyBytes), timeout_ms: options.timeoutMilliseconds,
            respond: { context, request, exchange in
                guard let context else { return }
                Unmanaged<MockServer>.fromOpaque(context).takeUnretainedValue().answer(request.pointee, exchange)
            }, context: Unmanaged.passUnretained(self).toOpaque())
        guard let server = cserve_start(&given) else {
            throw Failure(.file, "the server cannot be started: \(Descriptors.reason(errno))")
        }
        return server
    }

    private func answer(_ request: cserve_request, _ exchange: OpaquePointer) {
        let start = ContinuousClock.now
        let given = UnsafeBufferPointer(start: request.fields, count: request.fields == nil ? 0 : request.field_count)
        let incoming = Incoming(
            method: Bytes(request.method), target: Bytes(request.target),
            headers: given.map { HeaderField(Bytes($0.name), Bytes($0.value)) }, body: Bytes(request.body))
        let origins = options.allowsOrigins ? CrossOrigin(incoming) : nil
        var response: MockResponse
        if let preflight = origins?.preflight {
            response = MockResponse(reply: preflight)
        } else {
            response = self.response(incoming, request.refusal)
        }
        let own = response.reply
        var cut = Self.cut(response.curlCode)
        var delay = response.delayMilliseconds + options.delayMilliseconds
        if response.curlCode == 28 { delay = max(delay, Self.heldMilliseconds) }
        let hasNoBody = own.status == 204 || own.status == 304
        let body = hasNoBody ? UnsafeRawBufferPointer(start: nil, count: 0) : own.body.buffer
        var length = UInt64(body.count)
        if incoming.method == "HEAD", !hasNoBody, let announced = own.headers.fields.first(where: Self.isLength) {
            length = UInt64(announced.value.string) ?? length
        }
        let view = cserve_bytes(bytes: body.bindMemory(to: UInt8.self).baseAddress, count: body.count)
        var isMade = cserve_reply(exchange, own.status, view, length, cut, delay) != 0
        for field in own.headers.fields + (origins?.headers(for: own) ?? []) where isMade && !Self.isLength(field) {
            isMade = field.name.withView { name in field.value.withView { cserve_reply_field(exchange, name, $0) } } != 0
        }
        if !isMade {
            // The memory is not sufficient for the response, or the server refuses one of its headers.
            cut = CSERVE_CLOSE
            _ = cserve_reply(exchange, 500, cserve_bytes(), 0, cut, 0)
        }
        let elapsed = start.duration(to: .now) + .milliseconds(delay)
        log.request(incoming, response, cut: cut == CSERVE_WHOLE ? nil : Self.name(of: cut, response.curlCode), elapsed)
        if origins?.preflight == nil, request.refusal == 0 {
            // A failure to make the coverage is reported when the server ends.
            let type = own.headers.fields.first { $0.name.equalsIgnoringCase("Content-Type") }?.value
            try? coverage.get().add(
                incoming, status: cut == CSERVE_WHOLE ? own.status : 0, contentType: type ?? Bytes(), body: own.body.bytes)
        }
        withExtendedLifetime(own) {}
    }

    private static func isLength(_ field: HeaderField) -> Bool { field.name.equalsIgnoringCase("Content-Length") }

    private func response(_ incoming: Incoming, _ refusal: Int32) -> MockResponse {
        do throws(Failure) {
            switch refusal {
            case 0: return try mock.respond(incoming)
            case 413:
                let detail: Bytes = "the body is larger than \(Int(options.maximumBodyBytes)) bytes"
                return MockResponse(reply: try Reply.problem(413, detail, to: nil))
            case 431: return MockResponse(reply: try Reply.problem(431, "the request has too many header fields", to: nil))
            default:
                let detail: Bytes = "the bodies of all requests are larger than \(Int(Self.totalBytes)) bytes"
                return MockResponse(reply: try Reply.problem(503, detail, [HeaderField("Retry-After", "1")], to: nil))
            }
        } catch {
            // The store could not be written; no change was made.
            log.say(error)
            let reply = try? Reply.problem(500, error.message, to: nil)
            return MockResponse(reply: reply ?? Reply.refusing(error, method: incoming.method))
        }
    }

    /// The effect of a failure of libcurl on the connection.
    private static func cut(_ curlCode: Int32) -> cserve_cut {
        switch curlCode {
        case 0: CSERVE_WHOLE
        case 18: CSERVE_PARTIAL
        case 56: CSERVE_RESET
        default: CSERVE_CLOSE
        }
    }

    private static func name(of cut: cserve_cut, _ curlCode: Int32) -> Bytes {
        cut == CSERVE_PARTIAL ? "partial" : cut == CSERVE_RESET ? "reset" : curlCode == 28 ? "timeout" : "empty"
    }
}

// Two services on the loopback interface: the shared fault service, and one that responds with the bytes of a test.

import FaultService
import Foundation
import Glibc
import RoutableCore
import RoutablePerform

extension FaultService {
    func url(_ path: String) -> Bytes { Bytes("\(base)\(path)" as String) }
}

/// Answers each connection with the next of the given strings and closes it; records the requests.
final class ScriptedService: @unchecked Sendable {
    let port: Int
    private let socket: Int32
    private let lock = NSLock()
    private var requests: [String] = []

    init(_ answers: [String]) throws {
        signal(SIGPIPE, SIG_IGN)
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = socket
        let failed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) != 0 || listen(listener, 16) != 0 || getsockname(listener, $0, &length) != 0
            }
        }
        if failed { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            for answer in answers { serve(answer) }
            close(socket)
        }
    }

    func url(_ path: String) -> Bytes { Bytes("http://127.0.0.1:\(port)\(path)" as String) }

    var received: [String] { lock.withLock { requests } }

    private func serve(_ answer: String) {
        let connection = accept(socket, nil, nil)
        if connection < 0 { return }
        var text = [UInt8]()
        var buffer = [UInt8](repeating: 0, count: 65536)
        while !Self.isWhole(text) {
            let count = read(connection, &buffer, buffer.count)
            if count <= 0 { break }
            text += buffer[..<count]
        }
        lock.withLock { requests.append(String(decoding: text, as: UTF8.self)) }
        var rest = Array(answer.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        close(connection)
    }

    private static func isWhole(_ text: [UInt8]) -> Bool {
        let request = String(decoding: text, as: UTF8.self)
        guard let end = request.range(of: "\r\n\r\n") else { return false }
        guard let length = request.range(of: "Content-Length: ") else { return true }
        return request[end.upperBound...].utf8.count >= Int(request[length.upperBound...].prefix { $0.isNumber }) ?? 0
    }
}

/// The result of performing a request.
func outcome(_ client: ConnectionPool, _ exchange: Exchange, _ policy: TransferPolicy? = nil) -> Result<Answer, Failure> {
    do throws(Failure) { return .success(try client.perform(exchange, policy)) } catch { return .failure(error) }
}

/// The failure of a request that must fail.
func failure(_ client: ConnectionPool, _ exchange: Exchange, _ policy: TransferPolicy? = nil) throws -> Failure {
    switch outcome(client, exchange, policy) {
    case .failure(let failure): return failure
    case .success(let answer): throw Unexpected(answer: answer)
    }
}

struct Unexpected: Error {
    var answer: Answer
}

func client(_ change: (inout ClientOptions) -> Void = { _ in }) throws -> ConnectionPool {
    var options = ClientOptions()
    options.deadlineMilliseconds = 20_000
    change(&options)
    return try ConnectionPool.make(options)
}

extension Text {
    var string: String { bytes.string }
    var storage: [UInt8] { bytes.storage }
}

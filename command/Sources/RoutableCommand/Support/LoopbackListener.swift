// Listens on the loopback address for the redirect of a browser (RFC 8252 section 7.3).

#if Command
import Glibc
import RoutableCore

/// A listener for one redirect.  It accepts connections one after the other, each for at most ten seconds.
final class LoopbackListener {
    private let descriptor: Int32
    let port: UInt16
    private static let maximumBytes = 16 << 10

    /// - Parameter port: The port; 0 for any free one.
    init(port: UInt16) throws(Failure) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { throw Failure(.file, "no socket: \(Descriptors.reason(errno))") }
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = descriptor
        let code = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let place = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return EINVAL }
            if bind(listener, place, length) != 0 || listen(listener, 16) != 0 { return errno }
            return getsockname(listener, place, &length) == 0 ? 0 : errno
        }
        if code != 0 {
            close(descriptor)
            throw Failure(.argument, "127.0.0.1:\(Int(port)) cannot be listened to: \(Descriptors.reason(code))")
        }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Waits until the browser requests the path with a query that is accepted.  Returns the path with the query.
    ///
    /// - Parameter end: The deadline.
    /// - Throws: `timeout`.
    func wait(
        for path: Bytes, until end: ContinuousClock.Instant, _ isAccepted: (Bytes) -> Bool
    ) throws(Failure) -> Bytes {
        while true {
            guard ready(descriptor, until: end) else {
                throw Failure(.timeout, "the browser was not sent to 127.0.0.1:\(Int(port)) in time")
            }
            let connection = accept(descriptor, nil, nil)
            if connection < 0 { continue }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            defer { close(connection) }
            let target = target(connection, until: min(end, .now + .seconds(10)))
            guard let target, Bytes(target.storage.prefix { $0 != UInt8(ascii: "?") }) == path else {
                answer(connection, "404 Not Found", "Not found.", until: end)
                continue
            }
            if isAccepted(target) {
                answer(connection, "200 OK", "The login has arrived. You can close this page.", until: end)
                return target
            }
            answer(connection, "400 Bad Request", "This is not the login that the program waits for.", until: end)
        }
    }

    private func ready(_ descriptor: Int32, until end: ContinuousClock.Instant) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: end)
            if left <= .zero { return false }
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds =
                min(left.components.seconds, 3600) * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
            let count = poll(&waited, 1, Int32(milliseconds))
            if count > 0 { return true }
            if count < 0 && errno != EINTR { return false }
        }
    }

    /// The target of a GET request; nil for anything else.
    private func target(_ connection: Int32, until end: ContinuousClock.Instant) -> Bytes? {
        var head: [UInt8] = []
        while !head.contains(0x0A) {
            if head.count > Self.maximumBytes || !ready(connection, until: end) { return nil }
            var part = [UInt8](repeating: 0, count: 4096)
            let got = recv(connection, &part, part.count, Int32(MSG_DONTWAIT))
            if got < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            if got <= 0 { return nil }
            head.append(contentsOf: part[..<got])
        }
        let words = Bytes(head.prefix { $0 != 0x0A && $0 != 0x0D }).split(on: 0x20)
        guard words.count == 3, words[0] == "GET", words[2].hasPrefix("HTTP/1."),
            words[1].storage.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return words[1]
    }

    private func answer(_ connection: Int32, _ status: Bytes, _ sentence: Bytes, until end: ContinuousClock.Instant) {
        let page: Bytes = "<!doctype html><meta charset=utf-8><title>routable</title><p>\(sentence)</p>\n"
        let text: Bytes =
            "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(page.count)\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n\(page)"
        // The call does not block: the buffer of the socket has space for the page, even if the peer does not read.
        _ = text.storage.withUnsafeBytes {
            send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        shutdown(connection, Int32(SHUT_WR))
        // Reads the rest of the request; otherwise the peer could receive a reset instead of the page.
        var rest = [UInt8](repeating: 0, count: 4096)
        let limit = min(end, .now + .seconds(1))
        var count = 0
        while count < Self.maximumBytes, ready(connection, until: limit) {
            let got = recv(connection, &rest, rest.count, Int32(MSG_DONTWAIT))
            if got <= 0 { break }
            count += got
        }
    }
}
#endif

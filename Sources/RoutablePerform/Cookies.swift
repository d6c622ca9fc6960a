// The cookies of a client: libcurl manages them (RFC 6265), and a file stores them between two runs of the program.

internal import CCurl
internal import CSystem
package import RoutableCore

extension EasyHandle {
    private static let maximumBytes = 4 << 20
    private static let header: Bytes = "# Netscape HTTP Cookie File\n"

    /// Passes the cookies of a file to libcurl; the file does not have to exist.
    ///
    /// - Throws: `file` for a file that cannot be read or is not a cookie file.
    func loadCookies(_ path: Bytes) throws(Failure) {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let code = path.withCString { csystem_read_file($0, Self.maximumBytes, &bytes, &count) }
        if code == Self.isMissing { return }
        guard code == 0, let bytes else { throw .file("read", path, code) }
        defer { csystem_free(bytes) }
        var number = 0
        for line in Bytes(UnsafeRawBufferPointer(start: bytes, count: count)).split(on: 0x0A) {
            number &+= 1
            let text = line.storage.last == 0x0D ? Bytes(line.storage.dropLast()) : line
            if text.isEmpty || text.storage.first == UInt8(ascii: "#") && !text.hasPrefix("#HttpOnly_") { continue }
            guard Self.isCookie(text), setCookie(text) == 0 else {
                throw Failure(.file, "\(path.printable) cannot be read: line \(number) is not a cookie in the Netscape format")
                {
                    $0.parameter = "cookie_file"
                }
            }
        }
    }

    private static let isMissing: Int32 = 2

    /// Whether a line has the seven fields of a cookie.
    static func isCookie(_ line: Bytes) -> Bool {
        let fields = line.split(on: 0x09)
        return fields.count == 7 && !line.storage.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
            && Decimal.parse(fields[4]) != nil
    }

    /// Removes all cookies.
    func clearCookies() -> Int32 { setCookie("ALL") }

    /// All cookies of the jar, as a Netscape cookie file.
    var cookies: Bytes {
        var text = Self.header
        let list = ccurl_cookies(curl)
        var next = list
        while let each = next {
            if let line = each.pointee.data { text.append("\(Bytes(cString: line))\n") }
            next = each.pointee.next
        }
        ccurl_list_free(list)
        return text
    }
}

extension ConnectionPool {
    /// All cookies, as lines of a Netscape cookie file without its head.
    package func cookieLines() throws(Failure) -> Bytes {
        try checkCookies()
        guard let text = try cookies() else { return Bytes() }
        return text.split(on: 0x0A).filter { !$0.isEmpty && !$0.hasPrefix("# ") }.map { "\($0)\n" as Bytes }.joined(by: "")
    }

    /// Sets a cookie, given as such a line.
    package func setCookie(_ line: Bytes) throws(Failure) {
        try checkCookies()
        let text = line.storage.last == 0x0A ? Bytes(line.storage.dropLast()) : line
        if !EasyHandle.isCookie(text) {
            throw Failure(
                .argument, "the text is not a cookie: seven fields of the Netscape format, separated by tabs, are expected"
            ) {
                $0.parameter = "line"
            }
        }
        if try withHandle({ $0.setCookie(text) }) != 0 { throw Failure(.argument, "libcurl does not accept the cookie") }
    }

    package func clearCookies() throws(Failure) {
        try checkCookies()
        _ = try withHandle { $0.clearCookies() }
    }

    private func checkCookies() throws(Failure) {
        if options.cookieFile == nil {
            throw Failure(.argument, "the client keeps no cookies; set cookie_file when you create the client") {
                $0.parameter = "cookie_file"
            }
        }
    }

    /// Writes all cookies to the file of the options, which only its owner may read.
    package func saveCookies() throws(Failure) {
        guard let path = options.cookieFile, !path.isEmpty else {
            throw Failure(.argument, "the client has no file for cookies; set cookie_file when you create the client") {
                $0.parameter = "cookie_file"
            }
        }
        guard let text = try cookies() else { return }
        let code = path.withCString { name in
            text.storage.withUnsafeBytes { bytes in bytes.baseAddress.map { csystem_write_private(name, $0, bytes.count) } ?? 0
            }
        }
        if code != 0 { throw .file("written", path, code) }
    }
}

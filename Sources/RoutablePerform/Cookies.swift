// The cookies of a client: libcurl keeps them by their rules (RFC 6265), and a file keeps them between two runs.

internal import CCurl
internal import CSystem
package import RoutableCore

extension EasyHandle {
    private static let maximumBytes = 4 << 20
    private static let header: Bytes = "# Netscape HTTP Cookie File\n"

    /// Gives libcurl the cookies of a file, which need not be there.
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
            let fields = text.split(on: 0x09)
            guard fields.count == 7, !text.storage.contains(0), Decimal.parse(fields[4]) != nil, setCookie(text) == 0 else {
                throw Failure(.file, "\(path.printable) cannot be read: line \(number) is not a cookie in the Netscape format")
                {
                    $0.parameter = "cookie_file"
                }
            }
        }
    }

    private static let isMissing: Int32 = 2

    /// All cookies of the jar, as the lines of such a file.
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

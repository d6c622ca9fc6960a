// Files, read whole.

import Glibc
import RoutableCore

enum File {
    /// The bytes of the file, or of standard input for `-`.
    static func read(_ path: String, limit: Int) throws(Failure) -> Bytes {
        let name: Bytes = path == "-" ? "standard input" : Bytes(path)
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw Failure(.file, "\(name.printable): \(Descriptors.reason(errno))") }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var content: [UInt8] = []
        let step = 1 << 16
        while true {
            let (part, code) = {
                var code: Int32 = 0
                let part = [UInt8](unsafeUninitializedCapacity: step) { buffer, count in
                    let got = Glibc.read(descriptor, buffer.baseAddress, step)
                    code = got < 0 ? errno : 0
                    count = max(got, 0)
                }
                return (part, code)
            }()
            if code == EINTR { continue }
            if code != 0 { throw Failure(.file, "\(name.printable): \(Descriptors.reason(code))") }
            if part.isEmpty { return Bytes(content) }
            content.append(contentsOf: part)
            if content.count > limit { throw Failure(.limit, "\(name.printable): over \(limit) bytes") }
        }
    }
}

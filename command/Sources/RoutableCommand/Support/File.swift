// Reads and writes whole files.

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
            if content.count > limit { throw Failure(.file, "\(name.printable): the file has more than \(limit) bytes") }
        }
    }
}

extension File {
    /// Whether the path is not a regular file: a device, a pipe.
    static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// The first bytes of a file; nil if it does not exist or cannot be read.
    static func beginning(_ path: String) -> Bytes? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
        defer { close(descriptor) }
        let size = 4096
        return Bytes(
            [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = max(Glibc.read(descriptor, buffer.baseAddress, size), 0)
            })
    }

    /// Writes a file atomically: the old content stays if the new one cannot be written completely.
    static func write(_ content: Bytes, to path: String, mode: mode_t = 0o666) throws(Failure) {
        let name = Bytes(path).printable
        // A device or a pipe is written to; a regular file is replaced.
        if isSpecial(path) {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            if descriptor < 0 { throw Failure(.file, "\(name): \(Descriptors.reason(errno))") }
            defer { close(descriptor) }
            return try Output.write(content.storage, to: descriptor, named: name)
        }
        let draft = "\(path).\(getpid()).part"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if descriptor < 0 { throw Failure(.file, "\(name): \(Descriptors.reason(errno))") }
        var isWhole = false
        defer { if !isWhole { unlink(draft) } }
        do throws(Failure) { try Output.write(content.storage, to: descriptor, named: name) } catch {
            close(descriptor)
            throw error
        }
        if close(descriptor) != 0 || rename(draft, path) != 0 {
            throw Failure(.file, "\(name): \(Descriptors.reason(errno))")
        }
        isWhole = true
    }
}

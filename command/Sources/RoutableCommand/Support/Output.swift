// Writes bytes to standard output and standard error.

import Glibc
import RoutableCore

/// Data for standard output, and messages for standard error.
enum Output {
    /// Writes data.  If the reader has closed the pipe, SIGPIPE ends the process, as with other tools.
    static func write(_ data: Bytes) throws(Failure) {
        try write(data.storage, to: STDOUT_FILENO, named: "standard output")
    }

    /// Writes data and a newline, unless the data ends in one.
    static func line(_ data: Bytes) throws(Failure) {
        try write(data.hasSuffix("\n") ? data : "\(data)\n")
    }

    /// Writes JSON as a line, which is indented and coloured on a terminal.
    static func json(_ data: Bytes) throws(Failure) { try line(layout(data) ?? data) }

    /// Indented JSON for a terminal; nil for other output, and for data that is not JSON.
    static func layout(_ data: Bytes) -> Bytes? {
        Terminal.output.isForReaders ? JSONLayout.text(data, .output) : nil
    }

    /// Writes a remark to standard error.  A failure to write it is ignored.
    static func say(_ remark: Bytes) {
        try? write(remark.storage, to: STDERR_FILENO, named: "standard error")
    }

    static func write(_ data: [UInt8], to descriptor: Int32, named name: Bytes) throws(Failure) {
        var start = 0
        while start < data.count {
            let (written, code) = data.withUnsafeBytes { buffer -> (Int, Int32) in
                let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
                return (count, errno)
            }
            if written < 0 {
                if code == EINTR { continue }
                throw Failure(.file, "\(name): \(Descriptors.reason(code))")
            }
            start += written
        }
    }
}

enum Descriptors {
    /// Opens descriptors for closed standard streams, so that no file or socket gets one of their numbers: reading from them
    /// returns no data, and writing to them fails.
    static func secure() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_RDONLY | O_CLOEXEC)
        }
    }

    static func reason(_ code: Int32) -> Bytes {
        strerror(code).map { Bytes(cString: $0) } ?? "error \(code)"
    }
}

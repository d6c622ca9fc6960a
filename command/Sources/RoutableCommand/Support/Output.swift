// Writes bytes to standard output and standard error.

import Glibc
import RoutableCore

/// Data for standard output, and messages for standard error.
enum Output {
    /// Writes data.  A reader that has gone ends the process by SIGPIPE, as it does any other tool.
    static func write(_ data: Bytes) throws(Failure) {
        try write(data.storage, to: STDOUT_FILENO, named: "standard output")
    }

    /// Writes data that ends in a newline, whether it brings one or not.
    static func line(_ data: Bytes) throws(Failure) {
        try write(data.hasSuffix("\n") ? data : "\(data)\n")
    }

    /// Writes JSON as a line, indented and coloured on a terminal.
    static func json(_ data: Bytes) throws(Failure) { try line(layout(data) ?? data) }

    /// Indented JSON for a terminal; nil for other output, and for text that is not JSON.
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
    /// Fills the places of closed standard descriptors, so that no file or socket becomes one of them: reading there
    /// gives nothing, writing is refused.
    static func secure() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_RDONLY | O_CLOEXEC)
        }
    }

    static func reason(_ code: Int32) -> Bytes {
        strerror(code).map { Bytes(cString: $0) } ?? "error \(code)"
    }
}

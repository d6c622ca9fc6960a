// The shared fault service on loopback, as a process that ends with the tests.

import Foundation

final class FaultService: @unchecked Sendable {
    static let shared = Result { try FaultService() }

    let base: String
    private let input = Pipe()
    private let process = Process()

    init() throws {
        let output = Pipe()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("service/fault_service.py")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var text = Data()
        while text.last != 0x0A {
            let more = try output.fileHandleForReading.read(upToCount: 1) ?? Data()
            if more.isEmpty { break }
            text += more
        }
        guard let port = Int(String(decoding: text.dropLast(), as: UTF8.self)) else { throw CocoaError(.fileReadUnknown) }
        base = "http://127.0.0.1:\(port)"
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

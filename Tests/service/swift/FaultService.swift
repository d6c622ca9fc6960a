// Runs the fault service (fault_service.py), or another script of this folder, for tests in Swift: a process on the loopback
// address, which ends when the object is released or the tests end.

import Foundation

public final class FaultService: @unchecked Sendable {
    public static let shared = Result { try FaultService() }

    public let port: Int
    public var base: String { "http://127.0.0.1:\(port)" }
    private let input = Pipe()
    private let process = Process()

    public init(script name: String = "fault_service.py") throws {
        let output = Pipe()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(name)
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
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

// A trait of Swift Testing that gives each test a tape (docs/tape.md).

import Foundation
public import Routable
public import Testing

/// Opens a tape for a test, and finishes it if the test ends without an error.
///
///     @Test(.tape(Social.self)) func reading() async throws {
///         let client = Client(transport: try TapeTransport.current)
///         ...
///     }
public struct TapeTrait: TestTrait, SuiteTrait, TestScoping {
    let open: @Sendable (_ path: String, _ mode: TapeTransport.Mode) throws -> TapeTransport
    let file: String

    /// The trait of a suite applies to the tests of the suite.
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // A suite itself has no tape.
        guard let testCase else { return try await function() }
        if testCase.isParameterized {
            throw Failure(
                .unsupported, "the trait .tape cannot name the tapes of a test with arguments: open a TapeTransport in the test"
            )
        }
        let mode = try Self.mode(ProcessInfo.processInfo.environment["ROUTABLE_TAPE"])
        let path = Self.path(of: test.name, in: file)
        if mode == .record || mode == .auto && ProcessInfo.processInfo.environment["CI"] == nil {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let tape = try open(path, mode)
        try await TapeTransport.$open.withValue(tape) { try await function() }
        try tape.finish()
    }

    static func mode(_ name: String?) throws(Failure) -> TapeTransport.Mode {
        guard let name, !name.isEmpty else { return .auto }
        if let mode = TapeTransport.Mode(rawValue: name) { return mode }
        let allowed = TapeTransport.Mode.allCases.map { $0.rawValue }.joined(separator: ", ")
        throw Failure(.argument, Bytes("the environment variable ROUTABLE_TAPE is none of \(allowed): \(name)" as String))
    }

    /// `Tapes/FILE/TEST.har` in the folder of the file of the test.
    static func path(of test: String, in file: String) -> String {
        let source = URL(fileURLWithPath: file)
        let name = test.prefix { $0 != "(" }.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "-" }
        return source.deletingLastPathComponent().appendingPathComponent("Tapes")
            .appendingPathComponent(source.deletingPathExtension().lastPathComponent)
            .appendingPathComponent("\(String(name)).har").path
    }
}

extension Trait where Self == TapeTrait {
    /// A tape of a declared API for each test: `Tapes/FILE/TEST.har` in the folder of the file of the test.
    ///
    /// The environment variable `ROUTABLE_TAPE` selects the mode: `record`, `replay`, `auto` (the default) or `check`.
    ///
    /// - Parameters:
    ///   - over: The transport that replies to requests that are recorded; nil for libcurl.
    ///   - names: Names of further secrets.
    ///   - secrets: Values that are removed wherever they occur.
    ///   - allowsUnused: Whether a test may leave entries unused.
    public static func tape(
        _ api: any API.Type, over: (@Sendable () throws -> any Transport)? = nil, redacting names: [String] = [],
        secrets: [String] = [], allowsUnused: Bool = false, file: String = #filePath
    ) -> TapeTrait {
        TapeTrait(
            open: { path, mode in
                try TapeTransport.of(
                    api, path, mode: mode, over: try over?(), redacting: names, secrets: secrets, allowsUnused: allowsUnused)
            }, file: file)
    }
}

extension TapeTransport {
    @TaskLocal static var open: TapeTransport?

    /// The tape of the running test.
    ///
    /// - Throws: `argument` outside of a test with the trait `.tape`.
    public static var current: TapeTransport {
        get throws(Failure) {
            if let open { return open }
            throw Failure(.argument, "there is no tape: the test does not have the trait .tape")
        }
    }
}

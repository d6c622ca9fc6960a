// A text that jansson has parsed, owned.

internal import CJansson
package import RoutableCore

/// The tree of a JSON text.  Immutable; any number of threads may read it.
package final class JanssonDocument: Sendable {
    // Owned: made in `init`, freed in `deinit`, only read in between, which touches no reference count.
    nonisolated(unsafe) private let root: OpaquePointer
    private let numberTag: Int

    /// The root; it ends with the document.
    package var view: JanssonView { JanssonView(root, numberTag: numberTag) }

    private init(_ root: OpaquePointer, numberTag: Int) {
        self.root = root
        self.numberTag = numberTag
    }

    deinit { cjansson_free(root) }

    /// Parses any JSON value.
    ///
    /// A function and not an `init`: in the Embedded mode an object whose `init` throws is not given back.
    ///
    /// - Throws: `json` with offset, line and column; `limit` for nesting; `document` for a key that occurs
    ///   twice in one object, when duplicates are refused.  Otherwise the last one counts.
    package static func read(_ text: UnsafeRawBufferPointer, rejectsDuplicates: Bool = false) throws(Failure) -> JanssonDocument {
        if let root = parseAtOnce(text, rejectsDuplicates) { return JanssonDocument(root, numberTag: 0) }
        let scan = try JSONScan(text)
        if scan.wideNumbers.isEmpty {
            return JanssonDocument(try parse(text, rejectsDuplicates, source: text), numberTag: 0)
        }
        let tag = scan.leadingNulls &+ 1
        return JanssonDocument(try parse(scan.rewritten(tag: tag), rejectsDuplicates, source: text), numberTag: tag)
    }

    /// jansson's null, which is counted by nobody.
    package static var janssonNull: OpaquePointer { cjansson_null() }

    /// What jansson makes of a text that cannot nest too deep and has no number that is too wide: the scan is left
    /// out.  nil when the scan has to say more.
    private static func parseAtOnce(_ text: UnsafeRawBufferPointer, _ rejectsDuplicates: Bool) -> OpaquePointer? {
        guard let start = text.baseAddress, containerCount(text) <= Limits.jsonDepth else { return nil }
        var code: Int32 = 0
        var position = 0
        var message: CChar = 0
        return cjansson_parse(start, text.count, rejectsDuplicates ? 1 : 0, &code, &position, &message, 1)
    }

    /// How many containers a text opens at most: those within strings count too.  Too many for a text with a NUL, which
    /// jansson passes over behind a number.
    @_optimize(speed)
    private static func containerCount(_ text: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var least = UInt8.max
        for byte in text {
            // `[` and `{` differ in one bit.
            count &+= byte | 0x20 == UInt8(ascii: "{") ? 1 : 0
            least = min(least, byte)
        }
        return least == 0 ? Int.max : count
    }

    private static func parse(
        _ text: [UInt8], _ rejectsDuplicates: Bool, source: UnsafeRawBufferPointer
    ) throws(Failure) -> OpaquePointer {
        let result = text.withUnsafeBytes { (buffer) -> Result<OpaquePointer, Failure> in
            do throws(Failure) {
                return .success(try parse(buffer, rejectsDuplicates, source: source))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// `source` is the text as it was passed in, for positions.
    private static func parse(
        _ text: UnsafeRawBufferPointer, _ rejectsDuplicates: Bool, source: UnsafeRawBufferPointer
    ) throws(Failure) -> OpaquePointer {
        // A scan refuses the empty text, so that there is an address.
        guard let start = text.baseAddress else {
            throw TextPosition(0, in: source).failure(.json, "the text is empty")
        }
        var code: Int32 = 0
        var position = 0
        var message = [CChar](repeating: 0, count: 200)
        let parsed = message.withUnsafeMutableBufferPointer { buffer -> OpaquePointer? in
            // proof: an array of 200 elements has an address.
            guard let sentence = buffer.baseAddress else { return nil }
            return cjansson_parse(
                start, text.count, rejectsDuplicates ? 1 : 0, &code, &position, sentence, buffer.count)
        }
        if let parsed { return parsed }
        if Int(code) == CJANSSON_DUPLICATE_KEY, let twin = JSONWalk.firstDuplicate(in: source) {
            let failure = Failure(.document, "the key \"\(twin.key.printable)\" is there twice in one object") {
                $0.pointer = twin.pointer
                $0.parameter = twin.key
            }
            throw TextPosition(twin.offset, in: source).place(failure)
        }
        let sentence = message.withUnsafeBytes { buffer in
            Bytes(UnsafeRawBufferPointer(rebasing: buffer.prefix { $0 != 0 }))
        }
        throw TextPosition(position, in: source).failure(.json, "the text is refused as JSON: \(sentence.printable)")
    }
}

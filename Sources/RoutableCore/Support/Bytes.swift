// Strings as bytes.
//
// Everything that enters or leaves the library is UTF-8 bytes with a length.  Comparing and hashing bytes
// needs no Unicode tables (75 KB of the shared library), and nothing is normalised: `é` and
// `e` + U+0301 are two names: keys are compared byte for byte.

internal import CSystem

/// UTF-8 text, or any bytes, compared byte by byte.
public struct Bytes: Hashable, Sendable {
    /// The bytes.
    public var storage: [UInt8]

    /// The empty text.
    @inlinable public init() { storage = [] }
    /// Creates a string of these bytes.
    @inlinable public init(_ storage: [UInt8]) { self.storage = storage }
    /// A copy of memory.
    @inline(never) public init(_ buffer: UnsafeRawBufferPointer) {
        guard let start = buffer.baseAddress, buffer.count > 0, Memory.has(buffer.count) else {
            storage = []
            return
        }
        storage = [UInt8](unsafeUninitializedCapacity: buffer.count) { target, count in
            if let target = target.baseAddress {
                UnsafeMutableRawPointer(target).copyMemory(from: start, byteCount: buffer.count)
            }
            count = buffer.count
        }
    }
    /// A string as UTF-8.
    @inline(never) public init(_ text: String) {
        #if hasFeature(Embedded)
        // Every string is contiguous in the Embedded mode; code for other strings would be linked without use.
        storage = text.utf8.withContiguousStorageIfAvailable { Array($0) } ?? []
        #else
        storage = Array(text.utf8)
        #endif
    }
    /// A copy of a part of an array.
    @inline(never) public init(_ slice: ArraySlice<UInt8>) { storage = Array(slice) }

    /// Hashes all bytes in one call; the synthesised function hashes them one by one.
    @inline(never) public func hash(into hasher: inout Hasher) {
        storage.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The bytes of a NUL-terminated string.
    public init(cString: UnsafePointer<CChar>) {
        self.init(UnsafeRawBufferPointer(start: cString, count: csystem_length(cString)))
    }

    /// The method of a request, which is nearly always this one.
    package init(method: UnsafePointer<CChar>) {
        let isGet = method[0] == 0x47 && method[1] == 0x45 && method[2] == 0x54 && method[3] == 0
        self = isGet ? Self.get : Bytes(cString: method)
    }

    private static let get: Bytes = "GET"

    /// The text without spaces and tabs at both ends.
    package var trimmedOfBlanks: Bytes {
        storage.withUnsafeBytes {
            let trimmed = $0.trimmedOfBlanks
            return trimmed.count == $0.count ? self : Bytes(trimmed)
        }
    }

    /// The bytes in memory, for the length of a call.  Closures of the standard library do not carry typed errors.
    package func withBuffer<Result>(_ use: (UnsafeRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result {
        let result = storage.withUnsafeBytes { (buffer) -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try use(buffer)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// The number of bytes.
    @inlinable public var count: Int { storage.count }
    /// Whether the text is empty.
    @inlinable public var isEmpty: Bool { storage.isEmpty }

    /// Appends one byte.
    @inline(never) public mutating func append(_ byte: UInt8) { if hasRoom(1) { storage.append(byte) } }
    /// Appends other bytes.
    @inline(never) public mutating func append(_ other: Bytes) {
        if hasRoom(other.count) { storage.append(contentsOf: other.storage) }
    }
    /// Appends a copy of memory.
    @inline(never) public mutating func append(contentsOf other: UnsafeRawBufferPointer) {
        if hasRoom(other.count) { storage.append(contentsOf: other) }
    }

    /// False if memory failed: the call then fails, so a missing part of this text does no harm.
    @inline(__always) private func hasRoom(_ more: Int) -> Bool { storage.count &+ more < 1 << 16 || hasMuchRoom(more) }

    @inline(never) private func hasMuchRoom(_ more: Int) -> Bool {
        let (count, capacity) = (storage.count &+ more, storage.capacity)
        return count <= capacity || Memory.has(Swift.max(count, 2 &* capacity))
    }

    /// As a Swift string; invalid UTF-8 becomes U+FFFD.
    public var string: String { String(decoding: storage, as: UTF8.self) }

    /// Whether the text begins with these bytes.
    @inline(never) public func hasPrefix(_ prefix: Bytes) -> Bool { storage.starts(with: prefix.storage) }

    /// Whether the text ends with these bytes.
    @inline(never) public func hasSuffix(_ suffix: Bytes) -> Bool {
        count >= suffix.count && storage.suffix(suffix.count).elementsEqual(suffix.storage)
    }

    /// A copy with each occurrence of `part` replaced; nil if there is none, or if `part` is empty.
    @inline(never) package func replacing(_ part: Bytes, with other: Bytes) -> Bytes? {
        guard let first = part.storage.first, part.count <= count else { return nil }
        var result = Bytes()
        var start = 0
        var index = 0
        while index <= count &- part.count {
            if storage[index] == first, storage[index..<(index &+ part.count)].elementsEqual(part.storage) {
                result.append(Bytes(storage[start..<index]))
                result.append(other)
                index &+= part.count
                start = index
            } else {
                index &+= 1
            }
        }
        if start == 0 { return nil }
        result.append(Bytes(storage[start...]))
        return result
    }

    /// The parts between the occurrences of `separator`; one empty part if there are no bytes.  If memory cannot be
    /// allocated, parts may be missing.
    @inline(never) public func split(on separator: UInt8) -> [Bytes] {
        var pieces: [Bytes] = []
        var start = 0
        for (index, byte) in storage.enumerated() where byte == separator {
            guard pieces.count < 1024 || Memory.hasRoom(pieces) else { break }
            pieces.append(Bytes(storage[start..<index]))
            start = index &+ 1
        }
        pieces.append(Bytes(storage[start...]))
        return pieces
    }

    /// The same for text from outside.
    ///
    /// - Throws: `limit` for more than `Limits.formFields` parts, before memory is allocated.
    @inline(never) package func pieces(on separator: UInt8) throws(Failure) -> [Bytes] {
        var count = 0
        for byte in storage where byte == separator { count &+= 1 }
        if count >= Limits.formFields { throw Failure(.limit, "there are more than \(Limits.formFields) values") }
        return split(on: separator)
    }

    /// The text with ASCII letters in lower case.
    public var lowercased: Bytes { Bytes(storage.map(ASCII.lowercased)) }

    /// The text with ASCII letters in upper case.
    public var uppercased: Bytes { Bytes(storage.map(ASCII.uppercased)) }

    @inline(never) public static func == (left: Bytes, right: Bytes) -> Bool { left.storage == right.storage }

    /// Whether both are equal without regard to ASCII case, as header names and schemes are compared.
    @inline(never) public func equalsIgnoringCase(_ other: Bytes) -> Bool {
        count == other.count
            && storage.elementsEqual(other.storage) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}

extension Bytes: Comparable {
    @inline(never) public static func < (left: Bytes, right: Bytes) -> Bool {
        left.storage.lexicographicallyPrecedes(right.storage)
    }
}

extension Bytes: ExpressibleByStringInterpolation {
    // Messages are not on hot paths, and inlined code would be repeated at a thousand places: the inlined part only
    // separates the address and the length of the literal.
    @inline(__always) public init(stringLiteral text: StaticString) {
        self.init(literal: text.bytes)
    }

    /// The bytes of a constant string that is not a literal at this place.
    @inline(never) package init(static text: StaticString) {
        storage = Array(text.bytes)
    }

    @inline(never) private init(literal bytes: UnsafeBufferPointer<UInt8>) {
        storage = Array(bytes)
    }

    /// Only types that print the same text in both compile modes can be interpolated.
    public struct StringInterpolation: StringInterpolationProtocol {
        var bytes: [UInt8] = []

        // An empty array is a constant, which is shorter than a call; appending reserves memory anyway.
        @inline(__always) public init(literalCapacity: Int, interpolationCount: Int) {}

        @inline(__always) public mutating func appendLiteral(_ text: StaticString) {
            append(text.bytes)
        }

        @inline(never) private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
            bytes.append(contentsOf: text)
        }

        /// Appends a text.
        @inline(never) public mutating func appendInterpolation(_ text: Bytes) { bytes.append(contentsOf: text.storage) }
        /// Appends a number in decimal.
        @inline(never) public mutating func appendInterpolation(_ number: Int) { Decimal.append(Int64(number), to: &bytes) }
        /// Appends a number in decimal.
        @inline(never) public mutating func appendInterpolation(_ number: Int32) { Decimal.append(Int64(number), to: &bytes) }
        /// For messages: names from outside, each shortened if it is long, and at most as many as a sentence can contain.
        @inline(never) public mutating func appendInterpolation(_ names: [Bytes]) {
            var isFirst = true
            for name in names {
                if !isFirst { bytes.append(contentsOf: [0x2C, 0x20]) }
                isFirst = false
                if bytes.count > 2000 {
                    bytes.append(contentsOf: [0x2E, 0x2E, 0x2E])
                    break
                }
                bytes.append(contentsOf: name.printable.storage)
            }
        }
    }

    // The bytes are moved, which needs no code.
    @inline(__always) public init(stringInterpolation: __owned StringInterpolation) { storage = stringInterpolation.bytes }
}

extension Bytes: CustomStringConvertible {
    public var description: String { string }
}

extension [Bytes] {
    /// The strings, joined by `separator`.
    @inline(never) package func joined(by separator: Bytes) -> Bytes {
        var result = Bytes()
        var isFirst = true
        for piece in self {
            if !isFirst { result.append(separator) }
            isFirst = false
            result.append(piece)
        }
        return result
    }
}

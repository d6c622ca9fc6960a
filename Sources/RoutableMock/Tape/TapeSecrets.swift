// The secrets of the exchanges of a tape, which are removed wherever else they occur: in errors that quote them, in URLs of redirects.

internal import RoutableCore
internal import RoutableJSON

/// A set of strings to find in texts.
struct TapeSecrets {
    private var found = Set<Bytes>()
    /// In order, with the place of the longest other one that each begins with; -1 for none.
    private var strings: [Bytes] = []
    private var prefixes: [Int] = []
    /// The pairs of bytes with which some string begins.
    private var starts: [Bool] = []

    /// A shorter string is too likely to occur by chance.
    private let minimumLength: Int
    /// Instead of masks.
    private let word: Bytes?

    /// Those that were found are replaced by masks; those that the user names, of which a test may have others, by a word.
    init(word: Bytes? = nil) {
        self.word = word
        minimumLength = word == nil ? 8 : 4
    }

    /// Adds a string as it is in JSON, URLs and forms.
    mutating func add(_ secret: Bytes) {
        if secret.count < minimumLength || !found.insert(secret).inserted { return }
        let encoded = PercentCoding.encode(secret, .unreserved)
        found.insert(encoded)
        found.insert(encoded.replacing("%20", with: "+"))
        var writer = JSONWriter()
        if UTF8Check.isValid(secret) {
            writer.string(secret)
            found.insert(Bytes(writer.bytes.dropFirst().dropLast()))
        }
    }

    /// Prepares for `masked`.
    mutating func finish() {
        strings = Array(found).ordered()
        prefixes = []
        starts = [Bool](repeating: false, count: 1 << 16)
        var open: [Int] = []
        for (index, string) in strings.enumerated() {
            while let last = open.last, !string.hasPrefix(strings[last]) { open.removeLast() }
            prefixes.append(open.last ?? -1)
            open.append(index)
            starts[Int(string.storage[0]) << 8 | Int(string.storage[1])] = true  // proof: the minimum length
        }
    }

    /// The text with each of the strings masked; of several at one place, the longest.
    func masked(_ text: Bytes) -> Bytes {
        if strings.isEmpty || text.count < minimumLength { return text }
        return text.storage.withUnsafeBytes { bytes -> Bytes in
            var result = Bytes()
            var copied = 0
            var index = 0
            while index &+ 1 < bytes.count {
                if starts[Int(bytes[index]) << 8 | Int(bytes[index &+ 1])], let length = length(at: index, in: bytes) {
                    result.append(contentsOf: bytes.part(copied, index))
                    result.append(word ?? Self.masked(Bytes(bytes.part(index, index &+ length))))
                    index &+= length
                    copied = index
                } else {
                    index &+= 1
                }
            }
            if copied == 0 { return text }
            result.append(contentsOf: bytes.part(copied, bytes.count))
            return result
        }
    }

    /// The length of the longest string there.
    private func length(at place: Int, in text: UnsafeRawBufferPointer) -> Int? {
        let rest = text.part(place, text.count)
        var low = 0
        var high = strings.count
        while low < high {
            let middle = (low &+ high) / 2
            let isAfter = strings[middle].storage.withUnsafeBytes { rest.lexicographicallyPrecedes($0) }
            if isAfter { high = middle } else { low = middle &+ 1 }
        }
        // Every string with which the rest begins is a beginning of the last one that is not after it, or this one itself.
        var index = low &- 1
        while index >= 0 {
            if rest.starts(with: strings[index].storage) { return strings[index].count }
            index = prefixes[index]
        }
        return nil
    }

    /// The mask of a string that may be percent-encoded.
    private static func masked(_ found: Bytes) -> Bytes {
        if !found.storage.contains(UInt8(ascii: "%")) { return mask(found) }
        return PercentCoding.encode(mask(found.storage.withUnsafeBytes { PercentCoding.decode($0) }), .unreserved)
    }

    /// A string of the same shape that says nothing: letters and digits are replaced, so that it has the length, the pattern and the
    /// format of the secret.  A mask is its own mask.
    static func mask(_ secret: Bytes) -> Bytes {
        var result = Bytes()
        for byte in secret.storage {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): result.append(UInt8(ascii: "A"))
            case UInt8(ascii: "0")...UInt8(ascii: "9"): result.append(UInt8(ascii: "0"))
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"),
                UInt8(ascii: "+"),
                UInt8(ascii: "="), UInt8(ascii: "@"), 0x20:
                result.append(byte)
            case 0x80...0xBF: break  // a character has one first byte
            default: result.append(UInt8(ascii: "a"))
            }
        }
        return result
    }
}

extension Bytes {
    /// The text with each occurrence of another one replaced.
    func replacing(_ old: Bytes, with new: Bytes) -> Bytes {
        if old.isEmpty || old.count > count { return self }
        var result = Bytes()
        var index = 0
        var copied = 0
        while index <= count &- old.count {
            if storage[index] == old.storage[0], storage[index..<(index &+ old.count)].elementsEqual(old.storage) {
                result.append(Bytes(storage[copied..<index]))
                result.append(new)
                index &+= old.count
                copied = index
            } else {
                index &+= 1
            }
        }
        if copied == 0 { return self }
        result.append(Bytes(storage[copied...]))
        return result
    }
}

// The secrets of the exchanges of a tape, which are also removed where they are repeated: in error messages, in URLs of redirects.

internal import RoutableCore
internal import RoutableJSON

/// A set of strings that are removed from the content of exchanges.
struct TapeSecrets {
    private var found = Set<Bytes>()
    /// The strings, sorted; `prefixes` has, for each, the index of the longest other string that it begins with, or -1 for none.
    private var strings: [Bytes] = []
    private var prefixes: [Int] = []
    /// For each pair of bytes, whether a string begins with it.
    private var starts: [Bool] = []

    /// Shorter strings are not masked, because they are likely to occur by chance.
    private let minimumLength: Int
    /// The replacement of each string; nil for masks.
    private let word: Bytes?

    /// Secrets that were found are replaced by masks; secrets that the user names, whose values may differ in each run, by `word`.
    init(word: Bytes? = nil) {
        self.word = word
        minimumLength = word == nil ? 8 : 4
    }

    /// Adds a string, and its spellings in JSON, URLs and forms.
    mutating func add(_ secret: Bytes) {
        if secret.count < minimumLength || !found.insert(secret).inserted { return }
        let encoded = PercentCoding.encode(secret, .unreserved)
        found.insert(encoded)
        if let form = encoded.replacing("%20", with: "+") { found.insert(form) }
        var writer = JSONWriter()
        if UTF8Check.isValid(secret) {
            writer.string(secret)
            found.insert(Bytes(writer.bytes.dropFirst().dropLast()))
        }
    }

    /// Builds the tables that `masked` uses.
    mutating func finish() {
        strings = Array(found).ordered()
        prefixes = []
        starts = [Bool](repeating: false, count: 1 << 16)
        var open: [Int] = []
        for (index, string) in strings.enumerated() {
            while let last = open.last, !string.hasPrefix(strings[last]) { open.removeLast() }
            prefixes.append(open.last ?? -1)
            open.append(index)
            // proof: a string has at least minimumLength bytes.
            starts[Int(string.storage[0]) << 8 | Int(string.storage[1])] = true
        }
    }

    /// The text with each of the strings masked; if several strings begin at the same place, the longest one.
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

    /// The length of the longest string at a place; nil if there is none.
    private func length(at place: Int, in text: UnsafeRawBufferPointer) -> Int? {
        let rest = text.part(place, text.count)
        var low = 0
        var high = strings.count
        while low < high {
            let middle = (low &+ high) / 2
            let isAfter = strings[middle].storage.withUnsafeBytes { rest.lexicographicallyPrecedes($0) }
            if isAfter { high = middle } else { low = middle &+ 1 }
        }
        // Each string with which the rest begins is the last string that does not sort after the rest, or a prefix of that string.
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

    /// A string of the same form without the information: letters and digits are replaced, so that the length, the pattern and the
    /// format of the secret are kept.  The mask of a mask is the mask itself.
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
            case 0x80...0xBF: break  // a character of several bytes is replaced once, at its first byte
            default: result.append(UInt8(ascii: "a"))
            }
        }
        return result
    }
}

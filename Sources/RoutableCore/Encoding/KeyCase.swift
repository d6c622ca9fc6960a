// The case of keys, converted like Alamofire's KeyEncoding: the whole path of a key at once, so that in a nested
// key, the bracket counts as the first character.

extension FormEncoding.KeyCase {
    func apply(to key: Bytes) -> Bytes {
        switch self {
        case .given: return key
        case .snake: return Self.joined(key, by: UInt8(ascii: "_"))
        case .kebab: return Self.joined(key, by: UInt8(ascii: "-"))
        case .capitalized, .upper, .lower:
            var result = Bytes()
            var isKept = false
            for scalar in key.string.unicodeScalars {
                Self.append(isKept ? scalar.value : Letter.cased(scalar.value, upper: self != .lower), to: &result)
                isKept = self == .capitalized
            }
            return result
        }
    }

    /// A word begins where lower case ends, and at the last of several capitals before lower case:
    /// `myURLValue` is `my`, `url`, `value`.  The first character counts as lower case.
    private static func joined(_ key: Bytes, by separator: UInt8) -> Bytes {
        var result = Bytes()
        // The previous scalar, because a capital begins a word only if a lower-case letter follows.
        var previous: UInt32?
        var capitals = 0
        for scalar in key.string.unicodeScalars {
            let letter = Letter(scalar.value)
            if capitals == 0, previous != nil, letter?.isUpper == true {
                append(previous, to: &result)
                result.append(separator)
                capitals = 1
            } else {
                if letter?.isUpper == false {
                    if capitals > 1 { result.append(separator) }
                    capitals = 0
                } else if capitals > 0 {
                    capitals &+= 1
                }
                append(previous, to: &result)
            }
            previous = Letter.cased(scalar.value, upper: false)
        }
        append(previous, to: &result)
        return result
    }

    private static func append(_ scalar: UInt32?, to output: inout Bytes) {
        guard let scalar, let scalar = Unicode.Scalar(scalar), let bytes = UTF8.encode(scalar) else { return }
        for byte in bytes { output.append(byte) }
    }
}

/// A letter that has a case: of ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic.  The tables of Unicode
/// would be a tenth of the size of the library.
private struct Letter {
    let isUpper: Bool
    /// The same letter in the other case.
    let other: UInt32

    init?(_ scalar: UInt32) {
        switch scalar {
        case 0x41...0x5A, 0xC0...0xD6, 0xD8...0xDE, 0x391...0x3A1, 0x3A3...0x3A9, 0x410...0x42F:
            self.init(true, scalar &+ 32)
        case 0x61...0x7A, 0xE0...0xF6, 0xF8...0xFE, 0x3B1...0x3C1, 0x3C3...0x3C9, 0x430...0x44F:
            self.init(false, scalar &- 32)
        case 0x400...0x40F: self.init(true, scalar &+ 80)
        case 0x450...0x45F: self.init(false, scalar &- 80)
        case 0xDF: self.init(false, scalar)
        case 0x100...0x12F, 0x132...0x137, 0x14A...0x177: self.init(scalar & 1 == 0, scalar ^ 1)
        case 0x139...0x148, 0x179...0x17E: self.init(scalar & 1 == 1, scalar & 1 == 1 ? scalar &+ 1 : scalar &- 1)
        default: return nil
        }
    }

    private init(_ isUpper: Bool, _ other: UInt32) {
        self.isUpper = isUpper
        self.other = other
    }

    static func cased(_ scalar: UInt32, upper: Bool) -> UInt32 {
        guard let letter = Letter(scalar), letter.isUpper != upper else { return scalar }
        return letter.other
    }
}

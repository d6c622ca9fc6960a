// Validates host names (RFC 1123), internationalized host names (RFC 5890 to 5893) and mail addresses (RFC 5321, 6531).
//
// The properties of characters come from the Unicode tables of PCRE2: the characters of a label are checked by one pattern.

internal import RoutableCore
internal import RoutableJSON

/// Host names and mail addresses.
enum HostFormat {
    /// Scripts that are written from right to left: Hebrew, Arabic and neighbouring blocks.
    private static let rightToLeft: StaticString =
        "\\x{590}-\\x{8FF}\\x{FB1D}-\\x{FDFF}\\x{FE70}-\\x{FEFE}\\x{10800}-\\x{10FFF}\\x{1E800}-\\x{1EFFF}"
    private static let virama: StaticString =
        "\\x{94D}\\x{9CD}\\x{A4D}\\x{ACD}\\x{B4D}\\x{BCD}\\x{C4D}\\x{CCD}\\x{D3B}\\x{D3C}\\x{D4D}\\x{DCA}\\x{E3A}\\x{EBA}\\x{F84}\\x{1039}\\x{103A}\\x{1714}\\x{17D2}\\x{1A60}\\x{1B44}\\x{1BAA}\\x{1BAB}\\x{A806}\\x{A8C4}\\x{A953}\\x{A9C0}\\x{AAF6}\\x{ABED}"
    /// Letters by their category that RFC 5892 disallows: exceptions, old Jamo, and letters that have another normal form.
    private static let disallowed: StaticString =
        "\\x{AA}\\x{BA}\\x{640}\\x{7FA}\\x{302E}\\x{302F}\\x{3031}-\\x{3035}\\x{303B}\\x{1100}-\\x{11FF}\\x{A960}-\\x{A97F}\\x{D7B0}-\\x{D7FF}\\x{F900}-\\x{FAFF}\\x{FB00}-\\x{FDFF}\\x{FE70}-\\x{FEFF}\\x{FF00}-\\x{FFEF}\\x{1D400}-\\x{1D7FF}\\x{2F800}-\\x{2FA1F}"

    /// A label in its Unicode form: its characters, and the contexts that some of them require.
    private static let label = compiled(
        "(?![-\\p{M}])(?!..--)(?!.*[\\x{660}-\\x{669}].*[\\x{6F0}-\\x{6F9}])(?!.*[\\x{6F0}-\\x{6F9}].*[\\x{660}-\\x{669}])",
        "(?=[^\\x{30FB}]*$|.*[\\p{sc:Hiragana}\\p{sc:Katakana}\\p{sc:Han}])",
        "(?:(?![", disallowed,
        "])[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Mn}\\p{Mc}\\p{Nd}\\-\\x{6FD}\\x{6FE}\\x{F0B}\\x{3007}]|(?<=l)\\x{B7}(?=l)|\\x{375}(?=\\p{Greek})",
        "|(?<=\\p{Hebrew})[\\x{5F3}\\x{5F4}]|\\x{30FB}|(?<=[", virama,
        "])[\\x{200C}\\x{200D}]|(?<=[\\p{Arabic}\\p{Syriac}\\p{Nko}])\\x{200C}(?=[\\p{Arabic}\\p{Syriac}\\p{Nko}]))+(?<!-)")
    /// A label of a name with a label that is written from right to left (RFC 5893 section 2).
    private static let bidirectional = compiled(
        "(?:(?=[", rightToLeft,
        "])(?![\\x{660}-\\x{669}\\x{6F0}-\\x{6F9}])(?!.*[0-9\\x{6F0}-\\x{6F9}].*[\\x{660}-\\x{669}])(?!.*[\\x{660}-\\x{669}].*[0-9\\x{6F0}-\\x{6F9}])[\\p{M}0-9\\x{200C}\\x{200D}\\-",
        rightToLeft, "]*|(?=\\p{L})[^", rightToLeft, "]*)(?<!-)")
    private static let isRightToLeft = compiled("(?s).*(?![\\p{M}\\x{6F0}-\\x{6F9}])[", rightToLeft, "].*")

    private static func compiled(_ parts: StaticString...) -> Pattern? {
        var source = Bytes()
        for part in parts { source.append(Bytes(staticText: part)) }
        do throws(Failure) { return try Pattern.compile(source) } catch { return nil }
    }

    private static func fits(_ text: [UInt8], _ pattern: Pattern?) -> Bool {
        text.withUnsafeBytes { pattern?.matches($0) == .matches }
    }

    // MARK: Names

    /// Whether a string is a host name: labels of at most 63 bytes, at most 253 bytes in total, in the encoding of DNS.
    static func isHostname(_ text: UnsafeRawBufferPointer, international: Bool) -> Bool {
        if text.isEmpty || text.count > 1024 { return false }
        if let isValid = isPlainHostname(text) { return isValid }
        var unicode: [[UInt8]] = []
        var total = -1
        var start = 0
        var index = 0
        while index <= text.count {
            let dot = index == text.count ? 1 : dotLength(text, index, international)
            if dot > 0 {
                let label = UnsafeRawBufferPointer(rebasing: text[start..<index])
                guard let (form, length) = read(label, international) else { return false }
                total &+= length &+ 1
                unicode.append(form)
                start = index &+ dot
            }
            index &+= max(dot, 1)
        }
        if total > 253 { return false }
        guard unicode.contains(where: { fits($0, isRightToLeft) }) else { return true }
        return unicode.allSatisfy { fits($0, bidirectional) }
    }

    /// The same for a name whose labels are ASCII letters, digits and hyphens, without a pattern or an array; nil for any other name.
    @_optimize(speed)
    private static func isPlainHostname(_ text: UnsafeRawBufferPointer) -> Bool? {
        var isValid = text.count <= 253
        var start = 0
        var index = 0
        while index <= text.count {
            let byte = index == text.count ? UInt8(ascii: ".") : text[index]
            if byte == UInt8(ascii: ".") {
                let length = index &- start
                if length == 0 || length > 63 || text[start] == UInt8(ascii: "-") || text[index &- 1] == UInt8(ascii: "-") {
                    isValid = false
                } else if isCoded(text, start, length) {
                    return nil
                }
                start = index &+ 1
            } else if byte >= 0x80 {
                return nil
            } else if !ASCII.isLetter(byte), !ASCII.isDigit(byte), byte != UInt8(ascii: "-") {
                isValid = false
            }
            index &+= 1
        }
        return isValid
    }

    /// Whether a label begins with `xn--`.
    private static func isCoded(_ text: UnsafeRawBufferPointer, _ start: Int, _ length: Int) -> Bool {
        length > 3 && text[start] | 0x20 == UInt8(ascii: "x") && text[start &+ 1] | 0x20 == UInt8(ascii: "n")
            && text.has("--", at: start &+ 2)
    }

    private static func dotLength(_ text: UnsafeRawBufferPointer, _ index: Int, _ international: Bool) -> Int {
        if text[index] == UInt8(ascii: ".") { return 1 }
        guard international, text[index] >= 0xE3, UTF8Check.length(text, at: index) == 3 else { return 0 }
        let code = UTF8Check.scalar(text, at: index)
        return code == 0x3002 || code == 0xFF0E || code == 0xFF61 ? 3 : 0
    }

    /// The Unicode form of a label, and its length in the encoding of DNS.
    private static func read(_ label: UnsafeRawBufferPointer, _ international: Bool) -> ([UInt8], Int)? {
        if label.isEmpty { return nil }
        if label.contains(where: { $0 >= 0x80 }) {
            guard international, UTF8Check.isValid(label), let length = Punycode.length(label), length <= 59 else { return nil }
            let form = Array(label)
            return fits(form, self.label) ? (form, length &+ 4) : nil
        }
        guard label.count <= 63, label[0] != UInt8(ascii: "-"), label[label.count &- 1] != UInt8(ascii: "-"),
            label.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        if !isCoded(label, 0, label.count) { return (Array(label), label.count) }
        guard let form = Punycode.decoded(UnsafeRawBufferPointer(rebasing: label[4...])), fits(form, self.label) else {
            return nil
        }
        return (form, label.count)
    }

    // MARK: Mail

    static func isEmail(_ text: UnsafeRawBufferPointer, international: Bool) -> Bool {
        guard let at = text.lastIndex(of: UInt8(ascii: "@")), at > 0, at &+ 1 < text.count,
            isLocalPart(UnsafeRawBufferPointer(rebasing: text[..<at]), international)
        else { return false }
        let domain = UnsafeRawBufferPointer(rebasing: text[(at &+ 1)...])
        guard domain[0] == UInt8(ascii: "[") else {
            return isHostname(domain, international: international)
        }
        guard domain.count > 2, domain[domain.count &- 1] == UInt8(ascii: "]") else { return false }
        if domain.has("[IPv6:", at: 0) {
            return URIFormat.isIPv6(UnsafeRawBufferPointer(rebasing: domain[6..<(domain.count &- 1)]))
        }
        return URIFormat.isIPv4(UnsafeRawBufferPointer(rebasing: domain[1..<(domain.count &- 1)]))
    }

    private static func isLocalPart(_ text: UnsafeRawBufferPointer, _ international: Bool) -> Bool {
        if text[0] == UInt8(ascii: "\"") {
            guard text.count >= 2, text[text.count &- 1] == UInt8(ascii: "\"") else { return false }
            var index = 1
            while index < text.count &- 1 {
                let byte = text[index]
                if byte == UInt8(ascii: "\\") { index &+= 1 }
                if index >= text.count &- 1 || byte == UInt8(ascii: "\"") || ASCII.isControl(text[index])
                    || text[index] >= 0x80 && !international
                {
                    return false
                }
                index &+= 1
            }
            return true
        }
        var last = UInt8(ascii: ".")
        for byte in text {
            if byte == UInt8(ascii: ".") {
                if last == byte { return false }
            } else if !(ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80 && international
                || text.contains(byte, in: "!#$%&'*+-/=?^_`{|}~"))
            {
                return false
            }
            last = byte
        }
        return last != UInt8(ascii: ".")
    }
}

/// RFC 3492: the encoding of letters of all scripts as ASCII letters and digits.
enum Punycode {
    private static func adapted(_ delta: Int, _ points: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta &+= delta / points
        var k = 0
        while delta > 455 {
            delta /= 35
            k &+= 36
        }
        return k &+ 36 &* delta / (delta &+ 38)
    }

    private static func threshold(_ k: Int, _ bias: Int) -> Int { k <= bias ? 1 : k >= bias &+ 26 ? 26 : k &- bias }

    /// The UTF-8 of a label without its `xn--`; nil if it is not valid.
    static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        if text.isEmpty || text.count > 63 { return nil }
        var output: [UInt32] = []
        var index = 0
        if let dash = text.lastIndex(of: UInt8(ascii: "-")) {
            // A hyphen follows the letters that are not encoded: a leading hyphen is not valid.
            if dash == 0 { return nil }
            for byte in text[..<dash] { output.append(UInt32(ASCII.lowercased(byte))) }
            index = dash &+ 1
        }
        if index == text.count { return nil }
        var code = 128
        var bias = 72
        var position = 0
        // proof: a label has at most 63 digits, and each number stays below 2^31.
        while index < text.count {
            let start = position
            var weight = 1
            var k = 36
            while true {
                guard index < text.count else { return nil }
                let byte = text[index]
                let digit = ASCII.isDigit(byte) ? Int(byte) &- 22 : ASCII.isLetter(byte) ? Int(byte | 0x20) &- 97 : -1
                guard digit >= 0 else { return nil }
                index &+= 1
                position &+= digit &* weight
                let limit = threshold(k, bias)
                if position > 1 << 31 { return nil }
                if digit < limit { break }
                weight &*= 36 &- limit
                if weight > 1 << 31 { return nil }
                k &+= 36
            }
            let count = output.count &+ 1
            bias = adapted(position &- start, count, isFirst: start == 0)
            code &+= position / count
            position %= count
            guard code <= 0x10FFFF, !(0xD800...0xDFFF).contains(code) else { return nil }
            output.insert(UInt32(truncatingIfNeeded: code), at: position)
            position &+= 1
        }
        var result: [UInt8] = []
        for code in output { UTF8Check.append(code, to: &result) }
        return result
    }

    /// The length of the encoding of a label; nil if it is too long.
    static func length(_ text: UnsafeRawBufferPointer) -> Int? {
        var codes: [Int] = []
        var index = 0
        while index < text.count {
            codes.append(Int(UTF8Check.scalar(text, at: index)))
            index &+= max(UTF8Check.length(text, at: index), 1)
        }
        if codes.count > 63 { return nil }
        var result = codes.reduce(0) { $0 &+ ($1 < 128 ? 1 : 0) }
        var handled = result
        let basic = result
        if basic > 0 { result &+= 1 }
        var code = 128
        var delta = 0
        var bias = 72
        // proof: at most 63 rounds over at most 63 codes; delta stays below 64 * 2^21.
        while handled < codes.count {
            let next = codes.reduce(Int.max) { $1 >= code && $1 < $0 ? $1 : $0 }
            delta &+= (next &- code) &* (handled &+ 1)
            code = next
            for other in codes {
                if other < code { delta &+= 1 }
                guard other == code else { continue }
                var rest = delta
                var k = 36
                while true {
                    let limit = threshold(k, bias)
                    result &+= 1
                    if rest < limit { break }
                    rest = (rest &- limit) / (36 &- limit)
                    k &+= 36
                }
                bias = adapted(delta, handled &+ 1, isFirst: handled == basic)
                delta = 0
                handled &+= 1
            }
            delta &+= 1
            code &+= 1
        }
        return result
    }
}

extension UTF8Check {
    /// The length of the character at `index`, or 0 if there is none.
    static func length(_ text: UnsafeRawBufferPointer, at index: Int) -> Int {
        let byte = text[index]
        let length = byte < 0x80 ? 1 : byte < 0xC2 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 0
        return length <= text.count &- index ? length : 0
    }

    /// The code point of the character at `index` of valid UTF-8.
    static func scalar(_ text: UnsafeRawBufferPointer, at index: Int) -> UInt32 {
        let length = length(text, at: index)
        if length < 2 { return UInt32(text[index]) }
        var code = UInt32(text[index] & (0x7F >> UInt8(truncatingIfNeeded: length)))
        for offset in 1..<length { code = code << 6 | UInt32(text[index &+ offset] & 0x3F) }
        return code
    }

    static func append(_ code: UInt32, to text: inout [UInt8]) {
        if code < 0x80 {
            text.append(UInt8(truncatingIfNeeded: code))
            return
        }
        let length: UInt32 = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
        let lead: UInt8 = length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0
        text.append(lead | UInt8(truncatingIfNeeded: code >> (6 &* (length &- 1))))
        var rest = length &- 1
        while rest > 0 {
            rest &-= 1
            text.append(0x80 | UInt8(truncatingIfNeeded: code >> (6 &* rest)) & 0x3F)
        }
    }
}

// Converts regular expressions of ECMA-262, which JSON Schema uses, to PCRE2.
//
// The reader implements the whole grammar in its Unicode mode, and the escapes of punctuation that web browsers accept.
// Features of other engines (\A, \Z, (?i), (?P<n>...), possessive quantifiers) are refused by name.

package import RoutableCore
internal import RoutableJSON

/// The conversion of one pattern.
package struct ECMAPattern {
    /// The pattern for PCRE2.
    package internal(set) var translated = Bytes()
    let text: UnsafeRawBufferPointer
    var index = 0
    private var openGroups = 0
    var canRepeat = false
    /// The number of capturing groups, and the greatest number of a back reference.
    private var groupCount = 0
    private var greatestReference = 0
    private var groupNames: [Bytes] = []
    private var namedReferences: [Bytes] = []
    /// The last character of a class or of an escape; nil if it is not known.
    var character: UInt32?

    /// Converts a pattern, which must be UTF-8.
    ///
    /// - Throws: `document` for syntax that ECMA-262 does not have.
    package init(_ text: UnsafeRawBufferPointer) throws(Failure) {
        self.text = text
        try read()
    }

    private static let space: StaticString =
        "\\t\\n\\x{B}\\f\\r\\x{20}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}"
    private static let notSpace: StaticString =
        "\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}"
    /// Long names of general categories; PCRE2 supports only the short ones.
    private static let categories: StaticString =
        ";Letter=L;Cased_Letter=L&;LC=L&;Lowercase_Letter=Ll;Uppercase_Letter=Lu;Titlecase_Letter=Lt;Modifier_Letter=Lm;Other_Letter=Lo;Mark=M;Combining_Mark=M;Nonspacing_Mark=Mn;Spacing_Mark=Mc;Enclosing_Mark=Me;Number=N;Decimal_Number=Nd;digit=Nd;Letter_Number=Nl;Other_Number=No;Punctuation=P;punct=P;Connector_Punctuation=Pc;Dash_Punctuation=Pd;Open_Punctuation=Ps;Close_Punctuation=Pe;Initial_Punctuation=Pi;Final_Punctuation=Pf;Other_Punctuation=Po;Symbol=S;Math_Symbol=Sm;Currency_Symbol=Sc;Modifier_Symbol=Sk;Other_Symbol=So;Separator=Z;Space_Separator=Zs;Line_Separator=Zl;Paragraph_Separator=Zp;Other=C;Control=Cc;cntrl=Cc;Format=Cf;Surrogate=Cs;Private_Use=Co;Unassigned=Cn;"

    var next: UInt8? { index < text.count ? text[index] : nil }

    func fault(_ reason: Bytes) -> Failure {
        Failure(.document, "the pattern \"\(Bytes(text).printable)\" is not valid at byte \(index): \(reason)")
    }

    mutating func put(_ word: StaticString) { translated.append(Bytes(staticText: word)) }

    private mutating func put(code: UInt32) {
        character = code
        put("\\x{")
        var shift: UInt32 = 24
        while shift > 0 {
            shift &-= 4
            translated.append(ASCII.hexDigit(UInt8(truncatingIfNeeded: code >> shift)))
        }
        put("}")
    }

    private func has(_ word: StaticString) -> Bool { text.has(word, at: index) }

    private mutating func read() throws(Failure) {
        while let byte = next {
            switch byte {
            case UInt8(ascii: "("): try group()
            case UInt8(ascii: ")"):
                if openGroups == 0 { throw fault("a \")\" without its \"(\"") }
                openGroups &-= 1
                copy(byte, repeats: true)
            case UInt8(ascii: "["): try bracket()
            case UInt8(ascii: "\\"):
                let letter = index &+ 1 < text.count ? text[index &+ 1] : 0
                try escape(inClass: false)
                canRepeat = letter | 0x20 != UInt8(ascii: "b")
            case UInt8(ascii: "."):
                index &+= 1
                put("[^\\n\\r\\x{2028}\\x{2029}]")
                canRepeat = true
            case UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "$"): copy(byte, repeats: false)
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
                try repetition(end: index &+ 1)
            case UInt8(ascii: "{"):
                if let end = braces() {
                    try repetition(end: end)
                } else {
                    literal(byte)
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): literal(byte)
            default: copy(byte, repeats: true)
            }
        }
        if openGroups > 0 { throw fault("a \"(\" without its \")\"") }
        try checkReferences()
    }

    /// Checks the back references at the end, because they may precede their groups.
    private func checkReferences() throws(Failure) {
        if greatestReference > groupCount { throw fault("a back reference leads to no group: there are \(groupCount)") }
        if namedReferences.isEmpty { return }
        let names = groupNames.ordered()
        var index = 0
        for reference in namedReferences.ordered() {
            while index < names.count, names[index] < reference { index &+= 1 }
            if index == names.count || names[index] != reference {
                throw fault("there is no group with the name \(reference.printable)")
            }
        }
    }

    mutating func copy(_ byte: UInt8, repeats: Bool) {
        translated.append(byte)
        index &+= 1
        canRepeat = repeats
    }

    mutating func literal(_ byte: UInt8) {
        translated.append(UInt8(ascii: "\\"))
        copy(byte, repeats: true)
    }

    /// The end of `{n}`, `{n,}` or `{n,m}` at the cursor; nil if the brace is a literal.
    private func braces() -> Int? {
        var end = index &+ 1
        let start = end
        while end < text.count, ASCII.isDigit(text[end]) { end &+= 1 }
        if end == start { return nil }
        if end < text.count, text[end] == UInt8(ascii: ",") {
            end &+= 1
            while end < text.count, ASCII.isDigit(text[end]) { end &+= 1 }
        }
        return end < text.count && text[end] == UInt8(ascii: "}") ? end &+ 1 : nil
    }

    private mutating func repetition(end: Int) throws(Failure) {
        if !canRepeat { throw fault("there is nothing to repeat") }
        if isOutOfOrder(end) { throw fault("the numbers of the quantifier are out of order") }
        while index < end { copy(text[index], repeats: false) }
        if next == UInt8(ascii: "?") { copy(UInt8(ascii: "?"), repeats: false) }
    }

    /// Whether the quantifier at the cursor is `{n,m}` with n greater than m; the numbers may have any length.
    private func isOutOfOrder(_ end: Int) -> Bool {
        guard next == UInt8(ascii: "{"), let comma = text[index..<end].firstIndex(of: UInt8(ascii: ",")), comma &+ 2 < end
        else { return false }
        // proof: braces() has found `{`, digits, a comma, digits and `}`.
        let least = text[(index &+ 1)..<comma].drop { $0 == UInt8(ascii: "0") }
        let most = text[(comma &+ 1)..<(end &- 1)].drop { $0 == UInt8(ascii: "0") }
        if least.count != most.count { return least.count > most.count }
        return most.lexicographicallyPrecedes(least)
    }

    private mutating func group() throws(Failure) {
        openGroups &+= 1
        if openGroups > 200 { throw fault("groups nest deeper than 200 levels") }
        canRepeat = false
        index &+= 1
        if next == UInt8(ascii: "*") { throw fault("there is nothing to repeat") }
        put("(")
        guard next == UInt8(ascii: "?") else {
            groupCount &+= 1
            return
        }
        for word: StaticString in ["?:", "?=", "?!", "?<=", "?<!"] where has(word) {
            put(word)
            index &+= word.bytes.count
            return
        }
        guard has("?<") else { throw fault("ECMA-262 allows only (?: (?= (?! (?<= (?<! and (?<name> here") }
        put("?<")
        index &+= 2
        groupCount &+= 1
        groupNames.append(try name())
    }

    /// A name up to the `>` after it.
    private mutating func name() throws(Failure) -> Bytes {
        let start = index
        while let byte = next, ASCII.isIdentifier(byte) || byte == UInt8(ascii: "$") || byte >= 0x80 {
            translated.append(byte)
            index &+= 1
        }
        guard index > start, !ASCII.isDigit(text[start]), next == UInt8(ascii: ">") else {
            throw fault("the name of a group is expected")
        }
        translated.append(UInt8(ascii: ">"))
        index &+= 1
        return Bytes(UnsafeRawBufferPointer(rebasing: text[start..<(index &- 1)]))
    }

    /// Converts an escape; returns true if it is a set of characters.
    @discardableResult
    mutating func escape(inClass: Bool) throws(Failure) -> Bool {
        index &+= 1
        guard let byte = next else { throw fault("it ends with a backslash") }
        index &+= 1
        switch byte {
        case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "w"), UInt8(ascii: "W"):
            translated.append(UInt8(ascii: "\\"))
            translated.append(byte)
            return true
        case UInt8(ascii: "s"), UInt8(ascii: "S"):
            let isSpace = byte == UInt8(ascii: "s")
            if !inClass { put("[") }
            put(isSpace ? Self.space : Self.notSpace)
            if !inClass { put("]") }
            return true
        case UInt8(ascii: "b"), UInt8(ascii: "B"):
            if inClass {
                if byte == UInt8(ascii: "B") { throw fault("\\B has no meaning in a class") }
                put(code: 8)
            } else {
                translated.append(UInt8(ascii: "\\"))
                translated.append(byte)
            }
        case UInt8(ascii: "t"): put(code: 9)
        case UInt8(ascii: "n"): put(code: 10)
        case UInt8(ascii: "v"): put(code: 11)
        case UInt8(ascii: "f"): put(code: 12)
        case UInt8(ascii: "r"): put(code: 13)
        case UInt8(ascii: "c"):
            guard let letter = next, ASCII.isLetter(letter) else { throw fault("\\c requires a letter") }
            index &+= 1
            put(code: UInt32(letter & 31))
        case UInt8(ascii: "x"): put(code: try hexadecimal(2))
        case UInt8(ascii: "u"): try unicode(inClass: inClass)
        case UInt8(ascii: "p"), UInt8(ascii: "P"):
            try property(byte)
            return true
        case UInt8(ascii: "k"):
            guard !inClass, next == UInt8(ascii: "<") else { throw fault("\\k requires <name>") }
            index &+= 1
            put("\\k<")
            namedReferences.append(try name())
        case UInt8(ascii: "0"):
            if let digit = next, ASCII.isDigit(digit) { throw fault("octal escapes are not allowed") }
            put(code: 0)
        case _ where ASCII.isDigit(byte):
            if inClass { throw fault("a back reference has no meaning in a class") }
            put("\\g{")
            translated.append(byte)
            var number = Int(byte &- UInt8(ascii: "0"))
            while let digit = next, ASCII.isDigit(digit) {
                translated.append(digit)
                index &+= 1
                number = min(number &* 10 &+ Int(digit &- UInt8(ascii: "0")), Int(Int32.max / 16))
            }
            greatestReference = max(greatestReference, number)
            put("}")
        case _ where ASCII.isLetter(byte): throw fault("ECMA-262 has no \\\(Bytes([byte]))")
        case _ where byte < 0x80:
            character = UInt32(byte)
            if byte > 0x20 && byte != 0x7F { translated.append(UInt8(ascii: "\\")) }
            if ASCII.isIdentifier(byte) { translated.storage.removeLast() }
            translated.append(byte)
        default:
            index &-= 1  // the character itself
            character = nil
        }
        return false
    }

    private mutating func hexadecimal(_ count: Int) throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let byte = next, let digit = ASCII.hexValue(byte) else {
                throw fault("\(count) hexadecimal digits are expected")
            }
            value = value << 4 | UInt32(digit)
            index &+= 1
        }
        return value
    }

    private mutating func unicode(inClass: Bool) throws(Failure) {
        var value: UInt32 = 0
        if next == UInt8(ascii: "{") {
            index &+= 1
            let start = index
            while let byte = next, let digit = ASCII.hexValue(byte), value <= 0x10FFFF {
                value = value << 4 | UInt32(digit)
                index &+= 1
            }
            guard index > start, next == UInt8(ascii: "}"), value <= 0x10FFFF else {
                throw fault("\\u{ requires the number of a character")
            }
            index &+= 1
        } else {
            value = try hexadecimal(4)
            if value & 0xFC00 == 0xD800, has("\\u") {
                let saved = index
                index &+= 2
                let low = try hexadecimal(4)
                if low & 0xFC00 == 0xDC00 {
                    value = 0x10000 &+ (value & 0x3FF) << 10 &+ (low & 0x3FF)
                } else {
                    index = saved
                }
            }
        }
        // No text contains half of a surrogate pair.
        if Self.isHalf(value) {
            if !inClass { put("(?!)") }
            character = value
        } else {
            put(code: value)
        }
    }

    private mutating func property(_ letter: UInt8) throws(Failure) {
        guard next == UInt8(ascii: "{") else { throw fault("\\p requires {property}") }
        index &+= 1
        for prefix: StaticString in ["General_Category=", "gc=", "Script=", "sc=", "Script_Extensions=", "scx="]
        where has(prefix) {
            index &+= prefix.bytes.count
            break
        }
        let start = index
        while let byte = next, ASCII.isIdentifier(byte) { index &+= 1 }
        guard index > start, next == UInt8(ascii: "}") else { throw fault("the name of a property is expected") }
        let name = Bytes(UnsafeRawBufferPointer(rebasing: text[start..<index]))
        index &+= 1
        translated.append(UInt8(ascii: "\\"))
        translated.append(letter)
        put("{")
        translated.append(Self.short(name))
        put("}")
    }

    private static func short(_ name: Bytes) -> Bytes {
        let table = categories.rawBytes
        var index = 0
        while index < table.count {
            // proof: each entry begins at its semicolon and has its equals sign before the next semicolon.
            let start = index &+ 1
            var end = start
            while end < table.count && table[end] != UInt8(ascii: ";") { end &+= 1 }
            if end &- start > name.count, table[start &+ name.count] == UInt8(ascii: "="),
                UnsafeRawBufferPointer(rebasing: table[start..<(start &+ name.count)]).equals(bytes: name)
            {
                return Bytes(UnsafeRawBufferPointer(rebasing: table[(start &+ name.count &+ 1)..<end]))
            }
            index = end
        }
        return name
    }
}

// Converts names of a description into identifiers that are unique in their scope.

/// How words are joined into one identifier.
enum NameStyle { case snake, pascal, camel }

enum Naming {
    /// The words of a name: runs of ASCII letters and digits, `oneTwo` as two; other letters as their code points.
    static func words(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        let scalars = Array(name.unicodeScalars.prefix(200))
        func isUpper(_ scalar: Unicode.Scalar) -> Bool { scalar >= "A" && scalar <= "Z" }
        func isLower(_ scalar: Unicode.Scalar) -> Bool { scalar >= "a" && scalar <= "z" }
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for (index, scalar) in scalars.enumerated() {
            if isUpper(scalar) {
                let before = index > 0 ? scalars[index - 1] : " "
                let isEndOfRun = isUpper(before) && index + 1 < scalars.count && isLower(scalars[index + 1])
                if isLower(before) || (before >= "0" && before <= "9") || isEndOfRun { end() }
                word.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) + 32))
            } else if isLower(scalar) || (scalar >= "0" && scalar <= "9") {
                word.unicodeScalars.append(scalar)
            } else {
                end()
                if scalar.value > 0xA0 { words.append("u" + String(scalar.value, radix: 16)) }
            }
        }
        end()
        if words.isEmpty { words = scalars.prefix(8).map { "u" + String($0.value, radix: 16) } }
        return words.isEmpty ? ["unnamed"] : words
    }

    /// `start` is prepended to an identifier that would begin with a digit.
    static func identifier(_ name: String, _ style: NameStyle, start: String = "n") -> String {
        join(words(name), style, start: start)
    }

    static func join(_ words: [String], _ style: NameStyle, start: String = "n") -> String {
        var result = ""
        for (index, word) in words.enumerated() {
            switch style {
            case .snake: result += index == 0 ? word : "_" + word
            case .pascal: result += capitalized(word)
            case .camel: result += index == 0 ? word : capitalized(word)
            }
        }
        if let first = result.utf8.first, first >= 0x30, first <= 0x39 {
            result = (style == .pascal ? capitalized(start) : start) + result
        }
        return String(result.prefix(100))
    }

    static func capitalized(_ word: String) -> String {
        guard let first = word.utf8.first, first >= 0x61, first <= 0x7A else { return word }
        return String(UnicodeScalar(first - 32)) + word.dropFirst()
    }
}

/// A name that had to be changed.
struct Renaming {
    var original: String
    var identifier: String
    var why: String
}

/// The identifiers of one scope.
struct Scope {
    private var taken = Set<String>()
    private let reserved: Set<String>

    init(reserved: Set<String> = []) { self.reserved = reserved }

    /// Reserves names that are not part of the description.
    mutating func take(_ names: [String]) { taken.formUnion(names) }

    /// Reserves `wanted` with each of the endings, or the first of `wanted_`, `wanted_2`, `wanted_3` that is free with all endings.
    mutating func claim(
        _ wanted: String, endings: [String] = [""], separator: String = "_", for original: String,
        _ renamings: inout [Renaming]
    ) -> String {
        var name = wanted
        var why = ""
        if endings.contains("") && reserved.contains(name) {
            name = wanted + "_"
            why = "reserved"
        }
        var number = 2
        while !endings.allSatisfy({ isFree(name + $0) }) {
            name = "\(wanted)\(separator)\(number)"
            why = "taken"
            number += 1
        }
        for ending in endings { taken.insert(name + ending) }
        if !why.isEmpty { renamings.append(Renaming(original: original, identifier: name, why: why)) }
        return name
    }

    func isTaken(_ name: String) -> Bool { taken.contains(name) }

    private func isFree(_ name: String) -> Bool { !taken.contains(name) && !reserved.contains(name) }
}

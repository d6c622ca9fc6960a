// Names that function-calling interfaces accept.

internal import RoutableCore

/// Names of tools, of their arguments and of definitions.
enum ToolName {
    /// The characters that are allowed, each run of others as one `_`, and no `_` at the ends that the name does not have.
    static func reduced(_ name: Bytes, keepsDots: Bool, limit: Int) -> Bytes {
        var result: [UInt8] = []
        var isGap = false
        for byte in name.storage where result.count < limit {
            if ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                || keepsDots && byte == UInt8(ascii: ".")
            {
                if isGap && !result.isEmpty { result.append(UInt8(ascii: "_")) }
                isGap = false
                if result.count < limit { result.append(byte) }
            } else {
                isGap = true
            }
        }
        return result.isEmpty ? "_" : Bytes(result)
    }

    /// The name, or if it is taken, the name with the first free number from the number of names on.
    static func unique(_ name: Bytes, _ taken: inout Set<Bytes>) -> Bytes {
        var result = name
        var number = taken.count
        while !taken.insert(result).inserted {
            number &+= 1
            result = "\(name)_\(number)"
        }
        return result
    }

    /// The same number for the same bytes on every machine (FNV-1a).
    static func hash(_ name: Bytes) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.storage { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    /// A name of at most 64 characters that no other tool has: with a hash at its end if it is too long or taken.
    static func tool(_ name: Bytes, _ taken: inout Set<Bytes>) -> Bytes {
        let wanted = reduced(name, keepsDots: false, limit: 65)
        if wanted.count <= 64 && taken.insert(wanted).inserted { return wanted }
        var hash = hash(name)
        while true {
            var result = Bytes(wanted.storage.prefix(55))
            result.append(UInt8(ascii: "_"))
            for shift in 0..<8 { result.append(ASCII.hexDigit(UInt8(truncatingIfNeeded: hash &>> UInt64(shift &* 4)))) }
            if taken.insert(result).inserted { return result }
            hash = hash &* 0x0000_0100_0000_01B3 &+ 1
        }
    }
}

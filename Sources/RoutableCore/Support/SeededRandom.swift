// Random numbers that are the same for the same seed on every machine, so that a generated value can be made again.

/// The generator SplitMix64.
package struct SeededRandom: Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// A seed for one of several sequences: independent of how many numbers the other sequences have used.
    package init(seed: UInt64, sequence: Bytes) {
        // FNV-1a of the name.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in sequence.storage { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        state = seed ^ hash
        _ = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below the limit; 0 for a limit of 1 or less.
    package mutating func below(_ limit: Int) -> Int {
        limit > 1 ? Int(truncatingIfNeeded: next() % UInt64(limit)) : 0
    }

    /// An integer of a closed range; the lower bound if the upper one is less.
    package mutating func integer(_ low: Int64, _ high: Int64) -> Int64 {
        if low >= high { return low }
        let width = UInt64(bitPattern: high &- low)
        return low &+ Int64(bitPattern: width == .max ? next() : next() % (width &+ 1))
    }

    package mutating func digit() -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: below(10)) }

    package mutating func hexDigit() -> UInt8 {
        let number = UInt8(truncatingIfNeeded: below(16))
        return number < 10 ? UInt8(ascii: "0") &+ number : UInt8(ascii: "a") &+ number &- 10
    }
}

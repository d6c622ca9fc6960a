// The symbols of the segment graph: what an edge matches, and its precedence.
//
// Edges of one state that match the same segments are one edge: symbols are interned, so that comparing them
// is one comparison of integers.  The order depends on the patterns alone, never on the order of declaration.

/// The symbol of an edge: a literal segment, or a pattern.
struct SymbolID: Hashable, Sendable {
    let raw: UInt32

    init(literal index: Int) { raw = UInt32(truncatingIfNeeded: index) }
    init(pattern index: Int) { raw = UInt32(truncatingIfNeeded: index) | 1 << 31 }

    var isLiteral: Bool { raw >> 31 == 0 }
    var index: Int { Int(raw & 0x7FFF_FFFF) }
}

/// A segment that is not a single literal.
struct SegmentPattern: Sendable {
    /// The classes of segments, in the order in which they are tried (docs/matching.md).
    enum Rank: UInt8, Sendable { case mixed = 1, constrained, plain, constrainedCatchAll, catchAll, empty }

    enum Piece: Sendable {
        case literal(Bytes)
        /// The index of a scalar.
        case parameter(Int)
    }

    let rank: Rank
    /// Literals and parameters, alternating; one parameter for all ranks but `mixed`.
    let pieces: [Piece]
    /// The number of literal bytes: a pattern with more is tried first.
    let weight: Int
    /// Equal for equal patterns; the last criterion of the order.
    let key: Bytes

    var captureCount: Int {
        pieces.reduce(0) { if case .parameter = $1 { $0 &+ 1 } else { $0 } }
    }

    var isCatchAll: Bool { rank == .catchAll || rank == .constrainedCatchAll }

    /// Whether `self` is tried before `other`, independently of the declarations, or nil if only their keys or
    /// a declared priority determine the order.
    func precedes(_ other: SegmentPattern) -> Bool? {
        if rank != other.rank { return rank.rawValue < other.rank.rawValue }
        if weight != other.weight { return weight > other.weight }
        return nil
    }
}

/// All symbols of one graph.
struct SymbolTable {
    private(set) var patterns: [SegmentPattern] = []
    private(set) var scalars: [Scalar] = []
    private var patternIndex: [Bytes: Int] = [:]
    private var scalarIndex: [Bytes: Int] = [:]
    /// The symbols of a whole segment and of a catch-all for each scalar, once they were requested.
    private var parameterSymbols: [(segment: SymbolID?, catchAll: SymbolID?)] = []
    private var lastScalar = 0

    private var literals = TextPool()

    /// The bytes of all literals, and the offset of each one.
    var pool: [UInt8] { literals.bytes }
    var literalStart: [UInt32] { literals.starts }

    func literalRange(_ index: Int) -> Range<Int> { literals.range(index) }
    func literal(_ index: Int) -> Bytes { Bytes(pool[literalRange(index)]) }

    /// The symbol of a literal segment with this decoded text.
    mutating func symbol(literal text: [UInt8]) -> SymbolID { symbol(literalIn: text, 0..<text.count) }

    /// The symbol of a literal segment whose decoded text is a part of these bytes.
    mutating func symbol(literalIn text: [UInt8], _ range: Range<Int>) -> SymbolID {
        SymbolID(literal: literals.add(text, range).index)
    }

    /// The index of a scalar; the plain one is 0.
    mutating func index(of scalar: Scalar) -> Int {
        if scalars.isEmpty { addScalar(Scalar(), Self.key(Scalar())) }
        if scalar.isPlain && scalar.minimum == nil && scalar.maximum == nil { return 0 }
        // Consecutive declarations are often equal.
        if scalars[lastScalar].isSame(as: scalar) { return lastScalar }
        let key = Self.key(scalar)
        lastScalar = scalarIndex[key] ?? addScalar(scalar, key)
        return lastScalar
    }

    @discardableResult
    private mutating func addScalar(_ scalar: Scalar, _ key: Bytes) -> Int {
        scalarIndex[key] = scalars.count
        scalars.append(scalar)
        parameterSymbols.append((nil, nil))
        return scalars.count &- 1
    }

    /// The symbol of a whole segment that accepts any text.
    mutating func plainSymbol() -> SymbolID {
        if !parameterSymbols.isEmpty, let known = parameterSymbols[0].segment { return known }
        return symbol(parameter: Scalar())
    }

    /// The symbol of a whole segment that is one parameter, or of a catch-all.
    mutating func symbol(parameter scalar: Scalar, isCatchAll: Bool = false) -> SymbolID {
        let index = index(of: scalar)
        if let known = isCatchAll ? parameterSymbols[index].catchAll : parameterSymbols[index].segment { return known }
        let isPlain = scalars[index].isPlain
        let rank: SegmentPattern.Rank =
            isCatchAll ? (isPlain ? .catchAll : .constrainedCatchAll) : isPlain ? .plain : .constrained
        let symbol = symbol(rank, [.parameter(index)])
        if isCatchAll { parameterSymbols[index].catchAll = symbol } else { parameterSymbols[index].segment = symbol }
        return symbol
    }

    /// The symbol of an empty segment that is a value.
    mutating func emptySymbol() -> SymbolID { symbol(.empty, [.parameter(index(of: Scalar()))]) }

    mutating func symbol(_ rank: SegmentPattern.Rank, _ pieces: [SegmentPattern.Piece]) -> SymbolID {
        var key = Bytes([rank.rawValue])
        var weight = 0
        for piece in pieces {
            switch piece {
            case .literal(let text):
                weight &+= text.count
                key.append(1)
                key.append(text)
                key.append(0)
            case .parameter(let index):
                key.append(2)
                key.append(Self.key(scalars[index]))
                key.append(0)
            }
        }
        if let index = patternIndex[key] { return SymbolID(pattern: index) }
        patternIndex[key] = patterns.count
        patterns.append(SegmentPattern(rank: rank, pieces: pieces, weight: weight, key: key))
        return SymbolID(pattern: patterns.count &- 1)
    }

    /// Equal for scalars that `Scalar.isSame` considers equal.
    private static func key(_ scalar: Scalar) -> Bytes {
        var key: Bytes = "\(scalar.kindName):\(scalar.formatName ?? Bytes()):"
        key.append("\(scalar.minimumLength ?? -1):\(scalar.maximumLength ?? -1):")
        for bound in [scalar.minimum, scalar.maximum] {
            key.append(bound.flatMap { RealText.shortest($0 == 0 ? 0 : $0) } ?? "-")
            key.append(":")
        }
        if let factor = scalar.multipleOf { key.append("*\(RealText.shortest(factor) ?? Bytes()):") }
        for value in scalar.values { key.append("\(value.count)=\(value),") }
        key.append(":")
        if let pattern = scalar.pattern { key.append(pattern.source) }
        return key
    }
}

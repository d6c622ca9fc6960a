// The reader of all JSON whose size the program does not control (RFC 8259): bodies, responses and documents.
//
// CSystemJSON.h finds the tokens of 4,096 bytes at a time; this code checks them against the grammar and writes
// a tape (JSONWord.swift).  Only keys with escapes are decoded, and nothing is allocated for a value.  For a string that is
// rejected, JSONScan finds the fault: it reads the text again, byte by byte.

internal import CSystem
internal import RoutableCore

/// The options of a reader.
package struct JSONReading {
    /// The maximum nesting.
    package var depth = Limits.jsonDepth
    /// Whether a key that occurs twice in one object is rejected; otherwise the last one is valid.
    package var rejectsDuplicates = false
    /// Whether all keys with the same name are kept.
    package var keepsDuplicates = false
    package var escapes = Escapes.strict

    /// The accepted escapes: `halves` also accepts half of a surrogate pair, and `any` also U+0000 in a key.
    package enum Escapes { case strict, halves, any }

    package init(
        depth: Int = Limits.jsonDepth, rejectsDuplicates: Bool = false, keepsDuplicates: Bool = false,
        escapes: Escapes = .strict
    ) {
        self.depth = depth
        self.rejectsDuplicates = rejectsDuplicates
        self.keepsDuplicates = keepsDuplicates
        self.escapes = escapes
    }

    /// The maximum nesting on this thread.  Code that processes a document uses up to 384 bytes of stack for each level,
    /// and up to 32 KB for the innermost value.
    var depthHere: Int { min(depth, max(Self.anywhere, (csystem_stack_left() &- 32768) / 384)) }

    /// The nesting for which every stack has space.
    static let anywhere = 32
}

/// Writes the tape of one document.
struct JSONReader: ~Copyable {
    enum Result { case tape, refused, duplicate, size, memory }

    /// An open container, saved while a container within it is read.
    private struct Frame {
        var word: UInt32
        var count: UInt32
        /// The number of keys that are followed by a key with the same name.
        var dead: UInt32
        var isObject: Bool
    }

    private let text: UnsafePointer<UInt8>
    private let count: Int
    private let reading: JSONReading
    /// The nesting up to which the stack does not have to be checked.
    private var allowed: Int

    private var words: UnsafeMutablePointer<UInt64>
    private(set) var used = 0
    private var capacity: Int
    private var isTaken = false

    private var scan: csystem_json_scan
    private let offsets: UnsafeMutablePointer<UInt32>
    private var cursor = 0
    private var filled = 0

    /// One allocation, together with `offsets` and the first `marks`.
    private let frames: UnsafeMutablePointer<Frame>
    private var depth = 0
    /// Hashes of two bytes for the first keys of each open object, one object after another.
    private var marks: UnsafeMutablePointer<UInt16>
    private var markBase = 0
    private var markCapacity: Int
    /// Whether `marks` has its own allocation.
    private var hasOwnMarks = false
    /// The number of keys of an object that have a mark; in a larger object all keys are compared when it is closed.
    private static let markedKeys = 64
    /// The offset of the first key that equals an earlier one in its object; Int.max for none.
    private(set) var duplicate = Int.max
    private var isOutOfMemory = false

    // The state of the innermost container.
    private var isObject = false
    private var container = 0
    private var children = 0
    private var dead = 0

    /// nil if memory cannot be allocated.  `text` has less than 4 GB.
    init?(_ text: UnsafePointer<UInt8>, _ count: Int, _ reading: JSONReading) {
        let capacity = count &>> 3 &+ 64
        let room = min(count, Int(CSYSTEM_JSON_CHUNK)) &+ 64
        let markCapacity = 2 &* Self.markedKeys
        guard let words = csystem_resize(nil, capacity &* 8) else { return nil }
        // The size of each part is a multiple of its alignment, and the part with the largest alignment is first.
        let frameBytes = (reading.depth &+ 1) &* MemoryLayout<Frame>.stride
        guard let frames = csystem_resize(nil, frameBytes &+ room &* 4 &+ markCapacity &* 2) else {
            csystem_free(words)
            return nil
        }
        let offsets = frames + frameBytes
        let marks = offsets + room &* 4
        self.text = text
        self.count = count
        self.reading = reading
        allowed = min(reading.depth, JSONReading.anywhere)
        self.words = words.assumingMemoryBound(to: UInt64.self)
        self.capacity = capacity
        self.offsets = offsets.assumingMemoryBound(to: UInt32.self)
        self.frames = frames.assumingMemoryBound(to: Frame.self)
        self.marks = marks.assumingMemoryBound(to: UInt16.self)
        self.markCapacity = markCapacity
        scan = csystem_json_start(text, count)
    }

    deinit {
        if !isTaken { csystem_free(words) }
        csystem_free(frames)
        if hasOwnMarks { csystem_free(marks) }
    }

    /// The tape, shrunk to its size; the caller releases it.
    mutating func takeWords() -> UnsafeMutablePointer<UInt64> {
        isTaken = true
        // Shrinking by a few words is not worth the call: most documents are short and soon released.
        if capacity &- used <= 128 { return words }
        return csystem_resize(words, used &* 8)?.assumingMemoryBound(to: UInt64.self) ?? words
    }

    // MARK: Tokens

    /// The offset of the next token; -1 at the end.
    @inline(__always)
    private mutating func next() -> Int {
        if cursor == filled && !fill() { return -1 }
        // proof: there are `filled` offsets, and the cursor is below.
        let position = offsets[cursor]
        cursor &+= 1
        return Int(position)
    }

    @inline(never)
    private mutating func fill() -> Bool {
        cursor = 0
        filled = 0
        // A chunk that is only white space has no token.
        while filled == 0 && scan.position < count && scan.is_refused == 0 {
            filled = scan.index(&scan, offsets)
        }
        // A token makes at most two words.  A string has fewer words than bytes.
        return filled > 0 && scan.is_refused == 0 && reserve(filled &* 2 &+ 2)
    }

    /// Reserves space for this number of additional words.
    private mutating func reserve(_ more: Int) -> Bool {
        let needed = used &+ more
        if needed <= capacity { return true }
        // A large tape grows more slowly: a response requires at most eight times the size of its body.
        let growth = capacity &>> (capacity < 1 << 16 ? 1 : 2)
        let larger = max(needed, min(max(count &>> 3, capacity &+ growth), count))
        guard let memory = csystem_resize(words, larger &* 8) else {
            isOutOfMemory = true
            return false
        }
        words = memory.assumingMemoryBound(to: UInt64.self)
        capacity = larger
        return true
    }

    @inline(__always)
    private mutating func add(_ word: UInt64) {
        // proof: `fill` reserved two words for each token.
        words[used] = word
        used &+= 1
    }

    // MARK: The grammar

    // This code has no recursion: open containers are frames.
    @_optimize(speed) @inline(never)
    mutating func run() -> Result {
        var position = next()
        values: while true {
            if position < 0 { return refused }
            // proof: offsets of tokens are below the length of the text.
            let byte = text[position]
            switch byte {
            case UInt8(ascii: "\""):
                let end = string(position, isKey: false)
                if end < 0 { return end == -2 ? .size : refused }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if depth >= allowed && !goesDeeper() { return .refused }
                open(position, byte == UInt8(ascii: "{"))
                position = next()
                if position < 0 { return refused }
                if text[position] != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    if isObject {
                        let end = key(position)
                        if end < 0 { return end == -2 ? .size : refused }
                        position = next()
                    }
                    continue values
                }
                if !close(position) { return isOutOfMemory ? .memory : .size }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                if !number(position) { return refused }
            default:
                if !literal(position) { return refused }
            }
            // A value is complete.
            while true {
                if depth == 0 {
                    if next() >= 0 || scan.is_refused != 0 || isOutOfMemory { return refused }
                    return duplicate < Int.max && reading.rejectsDuplicates ? .duplicate : .tape
                }
                children &+= 1
                position = next()
                if position < 0 { return refused }
                let byte = text[position]
                if byte == UInt8(ascii: ",") {
                    position = next()
                    if position < 0 { return refused }
                    if isObject {
                        let end = key(position)
                        if end < 0 { return end == -2 ? .size : refused }
                        position = next()
                    }
                    continue values
                }
                if byte != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return refused }
                if !close(position) { return isOutOfMemory ? .memory : .size }
            }
        }
    }

    @inline(never)
    private mutating func goesDeeper() -> Bool {
        allowed = reading.depthHere
        return depth < allowed
    }

    private var refused: Result { isOutOfMemory ? .memory : .refused }

    @inline(__always)
    private mutating func open(_ position: Int, _ isObject: Bool) {
        // proof: there is a frame for each allowed level, and one more.
        frames[depth] = Frame(
            word: UInt32(truncatingIfNeeded: container), count: UInt32(truncatingIfNeeded: children),
            dead: UInt32(truncatingIfNeeded: dead), isObject: self.isObject)
        if self.isObject { markBase &+= min(children &+ 1, Self.markedKeys) }
        depth &+= 1
        self.isObject = isObject
        container = used
        children = 0
        dead = 0
        add(JSONWord.make(position, isObject ? JSONWord.object : JSONWord.array, 0))
        add(0)
    }

    @inline(__always)
    private mutating func close(_ position: Int) -> Bool {
        if isObject && children > Self.markedKeys && !reading.keepsDuplicates && !compareAll() { return false }
        let count = children &- dead
        if count >= JSONWord.countLimit { return false }
        // proof: the words of the container are on the tape, and its frame exists.
        words[container] |= UInt64(truncatingIfNeeded: count) &<< 36
        words[container &+ 1] =
            UInt64(truncatingIfNeeded: used &- container) | UInt64(truncatingIfNeeded: position &+ 1) &<< 32
        depth &-= 1
        let frame = frames[depth]
        isObject = frame.isObject
        container = Int(frame.word)
        children = Int(frame.count)
        dead = Int(frame.dead)
        if isObject { markBase &-= min(children &+ 1, Self.markedKeys) }
        return true
    }

    // MARK: Strings

    /// Returns the offset of the end of the string; -1 if it is not a valid string, -2 if it is too long.
    @inline(__always)
    private mutating func string(_ position: Int, isKey: Bool) -> Int {
        var end = next()
        if end < 0 { return -1 }
        // proof: within a string there are tokens for escapes and for the end.
        let hasEscapes = text[end] == UInt8(ascii: "\\")
        if hasEscapes {
            end = escapes(end, isKey)
            if end < 0 { return -1 }
        }
        let length = end &- position &- 1
        if length >= JSONWord.countLimit { return -2 }
        if !isKey {
            add(JSONWord.make(position, hasEscapes ? JSONWord.escaped : JSONWord.string, length))
        } else if hasEscapes {
            if !addEscapedKey(position, length) { return -1 }
        } else {
            add(JSONWord.make(position, JSONWord.string, length))
            if !reading.keepsDuplicates { note(text + position + 1, length, used &- 1) }
        }
        return end
    }

    /// Reads a key and its colon.  Returns the offset of the end of the key, or an error like `string`.
    @inline(__always)
    private mutating func key(_ position: Int) -> Int {
        if text[position] != UInt8(ascii: "\"") { return -1 }
        let end = string(position, isKey: true)
        if end < 0 { return end }
        let colon = next()
        return colon >= 0 && text[colon] == UInt8(ascii: ":") ? end : -1
    }

    /// Checks the escapes from the first one to the end of the string; -1 for an invalid escape.
    @inline(never)
    private mutating func escapes(_ start: Int, _ isKey: Bool) -> Int {
        var place = start
        while text[place] == UInt8(ascii: "\\") {
            guard place &+ 1 < count else { return -1 }
            switch text[place &+ 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                break
            case UInt8(ascii: "u"):
                let unit = JSONEscapes.unit(text, place, count)
                if unit < 0 { return -1 }
                if reading.escapes == .any { break }
                if unit == 0 && isKey { return -1 }
                if reading.escapes == .halves { break }
                if unit & 0xFC00 == 0xDC00 { return -1 }
                if unit & 0xFC00 == 0xD800 {
                    let low = next()
                    guard low == place &+ 6, JSONEscapes.unit(text, low, count) & 0x7FFF_FC00 == 0xDC00 else { return -1 }
                }
            default: return -1
            }
            place = next()
            if place < 0 { return -1 }
        }
        return place
    }

    /// Adds a key with escapes, decoded, because keys are looked up by their bytes.
    @inline(never)
    private mutating func addEscapedKey(_ position: Int, _ length: Int) -> Bool {
        // This also reserves two words for each token that was found.
        guard reserve((length &+ 7) &>> 3 &+ 2 &+ (filled &- cursor) &* 2 &+ 2) else { return false }
        let word = used
        add(JSONWord.make(position, JSONWord.escapedKey, length))
        let bytes = UnsafeMutableRawPointer(words + word + 2).assumingMemoryBound(to: UInt8.self)
        let decoded = JSONEscapes.decode(text + position + 1, length, bytes)
        add(UInt64(truncatingIfNeeded: decoded))
        used &+= (decoded &+ 7) &>> 3
        if !reading.keepsDuplicates { note(bytes, decoded, word) }
        return true
    }

    // MARK: Duplicate keys

    /// Compares a key with the earlier keys of its object, by their hashes of two bytes.
    @inline(__always)
    private mutating func note(_ key: UnsafePointer<UInt8>, _ length: Int, _ word: Int) {
        if children >= Self.markedKeys { return }
        if markBase &+ children >= markCapacity && !growMarks() {
            isOutOfMemory = true
            return
        }
        let mark = Self.mark(key, length)
        // proof: there is space for the marks of all keys that are compared here.
        let own = marks + markBase
        let found = csystem_find_mark(own, 0, children, mark)
        if found < children { compare(key, length, mark, found, JSONWord.offset(words[word])) }
        own[children] = mark
    }

    @inline(__always)
    private static func mark(_ key: UnsafePointer<UInt8>, _ length: Int) -> UInt16 {
        let start = UnsafeRawPointer(key)
        var low: UInt64
        var high: UInt64 = 0
        if length >= 8 {
            low = start.loadUnaligned(as: UInt64.self)
            high = start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
        } else if length >= 4 {
            low = UInt64(start.loadUnaligned(as: UInt32.self))
            high = UInt64(start.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self))
        } else if length > 0 {
            low = UInt64(key[0]) | UInt64(key[length &>> 1]) &<< 8 | UInt64(key[length &- 1]) &<< 16
        } else {
            low = 0
        }
        low = (low ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
        high = (high ^ low &>> 29) &* 0xBF58_476D_1CE4_E5B9
        return UInt16(truncatingIfNeeded: (low &+ high) &>> 48)
    }

    /// Compares a key with the keys that have the same mark, beginning with index `first`.
    @inline(never)
    private mutating func compare(_ key: UnsafePointer<UInt8>, _ length: Int, _ mark: UInt16, _ first: Int, _ offset: Int) {
        let own = marks + markBase
        var found = first
        var index = 0
        var word = words + container + 2
        while found < children {
            while index < found {
                word += JSONWord.keyWidth(word)
                word += JSONWord.width(word)
                index &+= 1
            }
            if isSame(word, key, length) {
                bury(word, offset)
                return
            }
            found = csystem_find_mark(own, found &+ 1, children, mark)
        }
    }

    /// Whether a key is equal to this one and is not marked as a duplicate.
    private func isSame(_ word: UnsafePointer<UInt64>, _ key: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        if JSONWord.kind(word[0]) == JSONWord.deadKey || JSONWord.kind(word[0]) == JSONWord.deadEscapedKey { return false }
        let name = JSONView.name(text, word)
        guard let start = name.baseAddress, name.count == length else { return false }
        return csystem_equal(start, key, length) != 0
    }

    /// Marks a key as a duplicate, because the key at `offset` equals it.
    private mutating func bury(_ word: UnsafeMutablePointer<UInt64>, _ offset: Int) {
        let kind = JSONWord.kind(word[0]) == JSONWord.string ? JSONWord.deadKey : JSONWord.deadEscapedKey
        word[0] = word[0] & ~(15 &<< 32) | kind &<< 32
        dead &+= 1
        duplicate = min(duplicate, offset)
    }

    private mutating func growMarks() -> Bool {
        let larger = max(markCapacity &* 2, 2 &* Self.markedKeys)
        guard let memory = csystem_resize(hasOwnMarks ? marks : nil, larger &* 2) else { return false }
        if !hasOwnMarks { memory.copyMemory(from: marks, byteCount: markCapacity &* 2) }
        marks = memory.assumingMemoryBound(to: UInt16.self)
        markCapacity = larger
        hasOwnMarks = true
        return true
    }

    /// Compares all keys of a large object, with a hash table.
    @inline(never)
    private mutating func compareAll() -> Bool {
        var size = 256
        while size < children &* 2 { size &*= 2 }
        guard let memory = csystem_resize(nil, size &* 4) else {
            isOutOfMemory = true
            return false
        }
        defer { csystem_free(memory) }
        let table = memory.initializeMemory(as: UInt32.self, repeating: 0, count: size)
        var place = container &+ 2
        while place < used {
            let word = words + place
            let name = JSONView.name(text, word)
            let kind = JSONWord.kind(word[0])
            if kind != JSONWord.deadKey && kind != JSONWord.deadEscapedKey,
                let start = name.baseAddress?.assumingMemoryBound(to: UInt8.self)
            {
                // proof: the table has at least twice as many slots as there are keys.
                var slot = Int(csystem_hash(start, 0, name.count)) & (size &- 1)
                while table[slot] != 0 {
                    let other = words + container + Int(table[slot])
                    if isSame(other, start, name.count) {
                        bury(other, JSONWord.offset(word[0]))
                        break
                    }
                    slot = (slot &+ 1) & (size &- 1)
                }
                table[slot] = UInt32(truncatingIfNeeded: place &- container)
            }
            place &+= JSONWord.keyWidth(word)
            place &+= JSONWord.width(words + place)
        }
        return true
    }

    // MARK: Numbers and words

    @inline(__always)
    private func isDigit(_ place: Int) -> Bool { place < count && text[place] &- 0x30 < 10 }

    /// Whether a number or a literal may end before this byte.
    @inline(__always)
    private func ends(_ place: Int) -> Bool {
        if place >= count { return true }
        switch text[place] {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: return true
        default: return false
        }
    }

    @inline(__always)
    private mutating func number(_ position: Int) -> Bool {
        let start = text[position] == UInt8(ascii: "-") ? position &+ 1 : position
        // Most numbers have at most 32 bytes, and end at the next token.
        if cursor < filled && start &+ 32 <= count {
            // proof: as in `next`; the text has at least 32 more bytes.
            let length = Int(offsets[cursor]) &- start
            if length > 0 && length <= 32 {
                let others = csystem_not_digits(text + start) & (UInt32.max &>> UInt32(truncatingIfNeeded: 32 &- length))
                let whole = others == 0 ? length : others.trailingZeroBitCount
                if (others == 0
                    ? whole <= 18
                    : others & (others &- 1) == 0 && whole > 0 && whole &+ 1 < length
                        && text[start &+ whole] == UInt8(ascii: ".")) && (whole == 1 || text[start] != UInt8(ascii: "0"))
                {
                    add(JSONWord.make(position, others == 0 ? JSONWord.integer : JSONWord.real, start &+ length &- position))
                    return true
                }
            }
        }
        return anyNumber(position, start)
    }

    /// Reads a number of any length, whose digits begin at `start`.
    @inline(never)
    private mutating func anyNumber(_ position: Int, _ start: Int) -> Bool {
        if !isDigit(start) { return false }
        var place = text[start] == UInt8(ascii: "0") ? start &+ 1 : csystem_digits_end(text, start, count)
        let whole = place &- start
        var kind = JSONWord.integer
        if ends(place) {
            if whole > 18 && isWide(position, place) { kind = JSONWord.wide }
        } else {
            kind = JSONWord.real
            if text[place] == UInt8(ascii: ".") {
                let fraction = place &+ 1
                place = csystem_digits_end(text, fraction, count)
                if place == fraction { return false }
            }
            var exponent = 0
            if place < count && text[place] | 0x20 == UInt8(ascii: "e") {
                place &+= 1
                let isNegative = place < count && text[place] == UInt8(ascii: "-")
                if isNegative || place < count && text[place] == UInt8(ascii: "+") { place &+= 1 }
                if !isDigit(place) { return false }
                while isDigit(place) {
                    if exponent < 100_000 { exponent = exponent &* 10 &+ Int(text[place] &- 0x30) }
                    place &+= 1
                }
                if isNegative { exponent = 0 }
            }
            if !ends(place) { return false }
            // A double can represent 10^308.
            if whole &+ exponent > 308 && isInfinite(position, place) { kind = JSONWord.wide }
        }
        if place &- position >= JSONWord.countLimit { return false }
        add(JSONWord.make(position, kind, place &- position))
        return true
    }

    @inline(never)
    private func isInfinite(_ start: Int, _ end: Int) -> Bool {
        JSONNumber.value(UnsafeRawBufferPointer(start: text + start, count: end &- start)).isInfinite
    }

    @inline(never)
    private func isWide(_ start: Int, _ end: Int) -> Bool {
        Decimal.parse(UnsafeRawBufferPointer(start: text + start, count: end &- start)) == nil
    }

    @inline(__always)
    private mutating func literal(_ position: Int) -> Bool {
        let kind: UInt64
        let length: Int
        if count &- position < 4 { return false }
        switch UnsafeRawPointer(text + position).loadUnaligned(as: UInt32.self).littleEndian {
        case 0x6575_7274: (kind, length) = (JSONWord.true, 4)
        case 0x6C6C_756E: (kind, length) = (JSONWord.null, 4)
        case 0x736C_6166: (kind, length) = (JSONWord.false, 5)
        default: return false
        }
        if length == 5 && (count &- position < 5 || text[position &+ 4] != UInt8(ascii: "e")) { return false }
        if !ends(position &+ length) { return false }
        add(JSONWord.make(position, kind, length))
        return true
    }
}

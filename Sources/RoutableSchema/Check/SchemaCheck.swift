// Validates a value with a compiled schema: the loop over instructions.
//
// A check reads the tables by their addresses, counts its steps, and records reasons only if they are requested.

internal import CSystem
internal import RoutableCore
internal import RoutableJSON

/// One check of one value.
struct SchemaCheck {
    /// The reason why a check ended without a result.
    enum Halt: UInt8 { case none, steps, depth, pattern, memory }

    /// The maximum number of steps of one check: each member, element and schema is a step.
    static let stepLimit = 1 << 24
    /// The steps of a check besides these: eight for each byte of the value, so that no valid value is refused because it is long.
    @inline(never) static func allowance(_ value: JSONView) -> Int { 8 &* value.source.count }
    /// The maximum depth of nested schemas, which are on the stack of the thread.
    static let depthLimit = 1024

    /// For code that is not hot: each access retains.
    let program: SchemaProgram
    let nodes: UnsafeMutablePointer<SchemaNode>
    let code: UnsafeMutablePointer<SchemaInstruction>
    let lists: UnsafeMutablePointer<Int32>
    let ranges: UnsafeMutablePointer<NumberRange>
    let constants: UnsafeMutablePointer<SchemaConstant>
    let lookups: UnsafeMutablePointer<UInt32>
    let patterns: UnsafeMutablePointer<Unmanaged<TextPattern>>
    let plans: UnsafeMutablePointer<ObjectPlan>
    let slots: UnsafeMutablePointer<NameSlot>
    let pool: UnsafeMutablePointer<UInt8>
    let usesScope: Bool
    /// The flag by which a member may be missing: that of the other direction; 0 for none.
    let excuse: UInt8
    var steps: Int
    var depth = 0
    var halt = Halt.none

    // The reasons, only if they are requested.
    var explains = false
    var maximumErrors = 1
    var findings: [SchemaFinding] = []
    var reasonBytes = 0
    /// Whether some reasons were omitted, because all together are too long.
    var omitsFurther = false

    // Used only for values and schemas that need them.
    /// The schemas that are being checked, each with its value, the outermost first.
    var path: [(value: Int, node: Int32)] = []
    /// The values for which discriminators have selected schemas on the current path.
    var chosen: [(value: Int, instruction: UnsafeMutablePointer<SchemaInstruction>)] = []
    private var decoded: DecodedText?
    private var lastIndex: (identity: Int, index: JSONIndex)?
    var scope: [UInt16] = []
    /// The bits of members or elements that were evaluated, one region after the other.
    var marks: [UInt64] = []

    init(_ program: SchemaProgram, steps: Int = 0, direction: SchemaDirection = .none) {
        self.program = program
        nodes = program.nodes
        code = program.code
        lists = program.lists
        ranges = program.ranges
        constants = program.constants
        lookups = program.lookups
        patterns = program.patternTable
        plans = program.plans
        slots = program.slots
        pool = program.pool
        usesScope = program.usesDynamicScope
        excuse = program.hasDirections ? direction.excuse : 0
        self.steps = Self.stepLimit &+ steps
    }

    // MARK: Schemas

    /// Whether a value is valid against a schema.  `region` records the evaluated members; -1 if it is not needed.
    @_optimize(speed) @inline(never)
    mutating func accepts(_ value: JSONView, _ start: Int32, _ region: Int) -> Bool {
        // proof: nodes refer to nodes, and instructions are in the code; the compiler made both.
        var index = Int(start)
        var references = 0
        while nodes[index].flags & SchemaNode.forwards != 0 {
            index = Int(nodes[index].first)
            references &+= 1
        }
        let node = nodes + index
        let bit = value.bit
        if fitsLeaf(node, value, bit) { return true }
        if node.pointee.kinds & bit == 0
            || bit == SchemaKinds.real.rawValue && node.pointee.flags & SchemaNode.wholeReals != 0
                && !Self.isWhole(value.real)
        {
            return refuseKind(value, node, references)
        }
        steps &-= 1
        depth &+= 1
        if steps < 0 || depth > Self.depthLimit || depth & 7 == 0 && hasNoStack { return stop(steps < 0 ? .steps : .depth) }
        var fits = true
        if !explains && !usesScope && excuse == 0 && node.pointee.flags & SchemaNode.tracks == 0 {
            var instruction = code + Int(node.pointee.first)
            let end = instruction + Int(node.pointee.count)
            while instruction < end {
                if instruction.pointee.kinds & bit != 0
                    && !(instruction.pointee.operation == .itemCount
                        ? hasItemCount(instruction, value) : holds(instruction, value, bit, region))
                {
                    fits = false
                    break
                }
                instruction += 1
            }
        } else {
            if excuse != 0 { path.append((value.identity, Int32(truncatingIfNeeded: index))) }
            fits = runCarefully(value, node, bit, region, references)
            if excuse != 0 { path.removeLast() }
        }
        depth &-= 1
        return fits
    }

    /// Whether a node has only instructions for scalars, and all of them hold; if false, `accepts` must decide.
    @_optimize(speed) @inline(__always)
    mutating func fitsLeaf(_ node: UnsafeMutablePointer<SchemaNode>, _ value: JSONView, _ bit: UInt8) -> Bool {
        isLeaf(node, value, bit) && (node.pointee.count == 0 || leafHolds(node, value, bit))
    }

    /// The kinds of scalars that a node accepts with any value.
    @_optimize(speed) @inline(__always)
    func plainKinds(_ node: UnsafeMutablePointer<SchemaNode>) -> UInt8 {
        node.pointee.flags & ~SchemaNode.directions == SchemaNode.leaf && node.pointee.count == 0
            ? node.pointee.kinds & ~SchemaKinds.containers.rawValue : 0
    }

    /// Whether a node has only instructions for scalars, and accepts the kind.
    @_optimize(speed) @inline(__always)
    private func isLeaf(_ node: UnsafeMutablePointer<SchemaNode>, _ value: JSONView, _ bit: UInt8) -> Bool {
        // Of the other flags, only "whole reals", which does not apply to the other kinds, and the directions may be set.
        let flags = node.pointee.flags & ~SchemaNode.directions
        return flags & ~SchemaNode.wholeReals == SchemaNode.leaf && node.pointee.kinds & bit != 0 && value.isPlain
            && (bit != SchemaKinds.real.rawValue || flags & SchemaNode.wholeReals == 0)
    }

    /// Whether a scalar is valid, for the checks that need no call.
    @_optimize(speed) @inline(never)
    private mutating func leafHolds(_ node: UnsafeMutablePointer<SchemaNode>, _ value: JSONView, _ bit: UInt8) -> Bool {
        // proof: as in `accepts`.
        var instruction = code + Int(node.pointee.first)
        let end = instruction + Int(node.pointee.count)
        while instruction < end {
            if instruction.pointee.kinds & bit != 0 {
                switch instruction.pointee.operation {
                case .length:
                    // A character has one to four bytes: in most cases, no characters have to be counted.
                    let length = value.plainText.count
                    if length > Int(instruction.pointee.high) || length < Int(instruction.pointee.low) { return false }
                    if (length &+ 3) >> 2 < Int(instruction.pointee.low) && !isShortASCII(value, length) { return false }
                case .range:
                    let range = ranges + Int(instruction.pointee.a)
                    if bit == SchemaKinds.integer.rawValue {
                        let number = value.integer
                        if number < range.pointee.first || number > range.pointee.last { return false }
                    } else {
                        let number = value.real
                        if !(number > range.pointee.low.value && number < range.pointee.high.value) { return false }
                    }
                case .oneOfConstants:
                    if bit == SchemaKinds.string.rawValue {
                        if !isText(value, instruction) { return false }
                    } else if bit != SchemaKinds.integer.rawValue || place(of: value, in: instruction) == nil {
                        return false
                    }
                default:
                    let pattern = patterns[Int(instruction.pointee.a)]
                    let text = value.plainText
                    guard text.count <= 64 else { return false }
                    steps &-= 1
                    let fits = pattern._withUnsafeGuaranteedRef {
                        $0.hasSteps && $0.runs(text)
                    }
                    if !fits { return false }
                }
            }
            instruction += 1
        }
        return true
    }

    /// Whether a string has at most 16 bytes, each of which is a character.
    @_optimize(speed) @inline(__always)
    private func isShortASCII(_ value: JSONView, _ length: Int) -> Bool {
        guard length <= 16, let text = value.plainText.baseAddress else { return false }
        let key = NameKey(text, length)
        return (key.head | key.tail) & 0x8080_8080_8080_8080 == 0
    }

    /// Whether a string is equal to one of some constants.
    @_optimize(speed) @inline(never)
    mutating func isText(_ value: JSONView, _ instruction: UnsafeMutablePointer<SchemaInstruction>) -> Bool {
        let length = value.plainText.count
        let count = instruction.pointee.constantCount
        guard let text = value.plainText.baseAddress else { return false }
        if count > ConstantTable.few { return place(of: value, in: instruction) != nil }
        let key = NameKey(text, length)
        var constant = constants + Int(instruction.pointee.a)
        let end = constant + count
        while constant < end {
            if constant.pointee.head == key.head && constant.pointee.tail == key.tail
                && Int(constant.pointee.length) == length && constant.pointee.kind == SchemaKinds.string.rawValue
                && (length <= 16 || csystem_equal(pool + Int(constant.pointee.offset), text, length) != 0)
            {
                return true
            }
            constant += 1
        }
        return false
    }

    /// The same with the features that a plain run omits: the dynamic scope, evaluated members, and reasons.
    @inline(never)
    private mutating func runCarefully(
        _ value: JSONView, _ node: UnsafeMutablePointer<SchemaNode>, _ bit: UInt8, _ outer: Int, _ references: Int
    ) -> Bool {
        let first = findings.count
        let entersResource = usesScope && scope.last != node.pointee.resource
        if entersResource { scope.append(node.pointee.resource) }
        var region = outer
        let tracks = node.pointee.flags & SchemaNode.tracks != 0 && bit & SchemaKinds.containers.rawValue != 0
        if tracks { region = openRegion(value) }
        var fits = true
        for index in Int(node.pointee.first)..<Int(node.pointee.first &+ node.pointee.count) {
            if code[index].kinds & bit == 0 || holds(code + index, value, bit, region) { continue }
            fits = false
            if halt != .none || !explains || findings.count >= maximumErrors { break }
        }
        if tracks { closeRegion(region, into: fits ? outer : -1) }
        if entersResource { scope.removeLast() }
        if !fits && explains {
            for _ in 0..<references { extend(from: first, .ref) }
        }
        return fits
    }

    /// Whether the stack of the thread has no space for eight more levels, a pattern and a reason.
    private var hasNoStack: Bool { @inline(never) get { csystem_stack_left() < 20480 } }

    @inline(never) mutating func stop(_ reason: Halt) -> Bool {
        if halt == .none { halt = reason }
        return false
    }

    static func isWhole(_ number: Double) -> Bool { number.rounded(.towardZero) == number }

    // MARK: Instructions

    @inline(never)
    private mutating func holds(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView, _ bit: UInt8, _ region: Int
    ) -> Bool {
        switch instruction.pointee.operation {
        case .length:
            return hasLength(instruction, value)
        case .range:
            return isInRange(instruction, ranges + Int(instruction.pointee.a), value)
        case .object: return checkMembers(value, plans + Int(instruction.pointee.a), region)
        case .items: return checkItems(value, instruction, region)
        case .oneOfConstants: return place(of: value, in: instruction) != nil || refuse(instruction, value)
        case .pattern:
            return matches(program.patterns[Int(instruction.pointee.a)], text(of: value))
                || halt == .none && refuse(instruction, value)
        case .format: return hasFormat(instruction, value)
        case .itemCount:
            return hasItemCount(instruction, value)
                || refuse(instruction, value, value.count < Int(instruction.pointee.low) ? .minItems : .maxItems)
        default: return holdsSlowly(instruction, value, bit, region)
        }
    }

    @inline(__always)
    private func hasItemCount(_ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView) -> Bool {
        value.count >= Int(instruction.pointee.low) && value.count <= Int(instruction.pointee.high)
    }

    /// The characters of a string, valid until the next call.
    mutating func text(of value: JSONView) -> UnsafeRawBufferPointer {
        if value.isPlain { return value.plainText }
        let memory = decoded ?? DecodedText()
        decoded = memory
        if let text = memory.read(value) { return text }
        _ = stop(.memory)
        return value.plainText
    }

    /// A member; for a large object, found by an index that is made once for the object.
    mutating func member(_ name: UnsafeRawPointer, _ length: Int, of value: JSONView) -> JSONView? {
        let name = UnsafeRawBufferPointer(start: name, count: length)
        if value.count <= 16 { return value.member(name) }
        if let (identity, index) = lastIndex, identity == value.identity { return index.member(name) }
        let index = JSONIndex(value)
        steps &-= value.count
        lastIndex = (value.identity, index)
        return index.member(name)
    }

    @inline(never)
    private mutating func holdsSlowly(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView, _ bit: UInt8, _ region: Int
    ) -> Bool {
        switch instruction.pointee.operation {
        case .multipleOf: return isMultiple(instruction, value)
        case .uniqueItems: return hasUniqueItems(instruction, value)
        case .prefixItems: return checkPrefix(value, instruction, region)
        case .contains: return checkContains(value, instruction, region)
        case .memberCount:
            let count = value.count
            return count >= Int(instruction.pointee.low) && count <= Int(instruction.pointee.high)
                || refuse(instruction, value, count < Int(instruction.pointee.low) ? .minProperties : .maxProperties)
        case .dependentRequired, .dependentSchema: return checkDependency(instruction, value, region)
        case .allOf: return checkAll(instruction, value, region)
        case .anyOf, .oneOf: return checkSome(instruction, value, region)
        case .discriminator: return checkChosen(instruction, value, bit, region)
        case .not:
            let fits = tries { $0.accepts(value, instruction.pointee.a, -1) }
            return halt == .none && (!fits || refuse(instruction, value))
        case .condition: return checkCondition(instruction, value, region)
        case .ref: return passes(instruction, nil, nil) { $0.accepts(value, instruction.pointee.a, region) }
        case .dynamicRef:
            let target = dynamicTarget(instruction)
            return passes(instruction, nil, nil) { $0.accepts(value, target, region) }
        case .unevaluatedItems: return checkUnevaluatedItems(value, instruction, region)
        case .unevaluatedProperties: return checkUnevaluatedMembers(value, instruction, region)
        default: return true
        }
    }

    /// Calls `body` without recording reasons.
    @inline(__always)
    mutating func tries(_ body: (inout SchemaCheck) -> Bool) -> Bool {
        let explained = explains
        explains = false
        let result = body(&self)
        explains = explained
        return result
    }

    /// Calls `body` for a schema below a keyword; the recorded reasons get the path to it.
    @inline(__always)
    mutating func passes(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ token: Bytes?, _ place: Bytes?,
        _ body: (inout SchemaCheck) -> Bool
    ) -> Bool {
        let first = findings.count
        if body(&self) { return true }
        if explains { extend(from: first, instruction.pointee.keyword, token, place) }
        return false
    }

    // MARK: Members

    @_optimize(speed) @inline(never)
    private mutating func checkMembers(_ value: JSONView, _ plan: UnsafeMutablePointer<ObjectPlan>, _ region: Int) -> Bool {
        let slots = self.slots + Int(plan.pointee.firstSlot)
        let count = Int(plan.pointee.slotCount)
        let isClosed = plan.pointee.additional >= 0
        if explains || region >= 0 || plan.pointee.asksNames
            || isClosed && nodes[Int(plan.pointee.additional)].flags & SchemaNode.never == 0
        {
            return checkEachMember(value, plan, region)
        }
        let table = NameTable(slots: slots, count: count, pool: pool)
        var guess = Int(plan.pointee.start)
        var missing = plan.pointee.requiredCount
        var members = value.members
        while let (text, child) = members.next() {
            guard let name = text.baseAddress else { return false }
            let length = text.count
            steps &-= 1
            let key = NameKey(name, length)
            // Members usually have the order in which they were declared.
            if count == 0 || !table.matches(guess, key, name, length) {
                guess = table.find(key, name, length)
                if guess < 0 {
                    if isClosed { return false }
                    guess = 0
                    continue
                }
            }
            let slot = slots + guess
            guess = Int(slot.pointee.next)
            missing &-= slot.pointee.required
            if slot.pointee.child >= 0 {
                let node = nodes + Int(slot.pointee.child)
                let bit = child.bit
                if fitsLeaf(node, child, bit) { continue }
                if !accepts(child, slot.pointee.child, -1) { return false }
            } else if isClosed {
                return false
            }
        }
        if steps < 0 { return stop(.steps) }
        return missing == 0 || excuse != 0 && isExcused(value, plan)
    }
}

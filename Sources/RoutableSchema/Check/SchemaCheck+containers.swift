// The keywords of objects and arrays.

internal import RoutableCore
internal import RoutableJSON

extension SchemaCheck {
    // MARK: Members

    /// Validates each member with its property, the patterns and the additional properties; then checks for missing members.
    @_optimize(speed) @inline(never)
    mutating func checkEachMember(_ value: JSONView, _ plan: UnsafeMutablePointer<ObjectPlan>, _ region: Int) -> Bool {
        let slots = self.slots + Int(plan.pointee.firstSlot)
        let table = NameTable(slots: slots, count: Int(plan.pointee.slotCount), pool: pool)
        var guess = Int(plan.pointee.start)
        var missing = plan.pointee.requiredCount
        var fits = true
        var position = 0
        var members = value.members
        while let (text, child) = members.next() {
            guard let start = text.baseAddress else { return false }
            let length = text.count
            steps &-= 1
            if steps < 0 { return stop(.steps) }
            let key = NameKey(start, length)
            var found = -1
            if table.count > 0 {
                found = table.matches(guess, key, start, length) ? guess : table.find(key, start, length)
            }
            var isDeclared = false
            if found >= 0 {
                let slot = slots + found
                guess = Int(slot.pointee.next)
                missing &-= slot.pointee.required
                isDeclared = slot.pointee.child >= 0
                if isDeclared {
                    if !memberFits(child, slot.pointee.child, start, length, .properties) {
                        fits = false
                        if isDone { return false }
                    }
                    mark(region, position)
                }
            }
            if plan.pointee.patternCount > 0 || !isDeclared || plan.pointee.names >= 0 {
                if !checkName(child, start, length, plan, isDeclared, region, position) {
                    fits = false
                    if isDone { return false }
                }
            }
            position &+= 1
        }
        if missing > 0 && !isExcused(value, plan) {
            if explains { explainMissing(value, plan) }
            return false
        }
        return fits
    }

    /// Whether further checks after a refusal add no reasons.
    var isDone: Bool { halt != .none || !explains || findings.count >= maximumErrors }

    @inline(__always)
    private mutating func memberFits(
        _ child: JSONView, _ node: Int32, _ name: UnsafeRawPointer, _ length: Int, _ keyword: SchemaKeyword
    ) -> Bool {
        let first = findings.count
        if accepts(child, node, -1) { return true }
        if explains {
            let token = Bytes(UnsafeRawBufferPointer(start: name, count: length))
            extend(from: first, keyword, keyword == .properties ? token : nil, token)
        }
        return false
    }

    /// Applies the keywords that depend on the name of a member: propertyNames, patternProperties, additionalProperties.
    private mutating func checkName(
        _ child: JSONView, _ start: UnsafeRawPointer, _ length: Int, _ plan: UnsafeMutablePointer<ObjectPlan>,
        _ isDeclared: Bool, _ region: Int, _ position: Int
    ) -> Bool {
        let name = UnsafeRawBufferPointer(start: start, count: length)
        var fits = true
        var isMatched = isDeclared
        if plan.pointee.names >= 0 && !nameFits(name, plan.pointee.names) { fits = false }
        for index in 0..<Int(plan.pointee.patternCount) {
            // proof: the compiler made the plan and the patterns that it refers to.
            let entry = program.namePatterns[Int(plan.pointee.firstPattern) &+ index]
            let pattern = program.patterns[Int(entry.pattern)]
            if !matches(pattern, name) { continue }
            isMatched = true
            mark(region, position)
            let first = findings.count
            if !accepts(child, entry.node, -1) {
                if explains { extend(from: first, .patternProperties, pattern.source, Bytes(name)) }
                fits = false
            }
        }
        if halt != .none { return false }
        guard !isMatched, plan.pointee.additional >= 0 else { return fits }
        mark(region, position)
        if nodes[Int(plan.pointee.additional)].flags & SchemaNode.never != 0 {
            if explains { explainSurplus(name, plan) }
            return false
        }
        return memberFits(child, plan.pointee.additional, start, length, .additionalProperties) && fits
    }

    /// Validates a name as a value.
    private mutating func nameFits(_ name: UnsafeRawBufferPointer, _ node: Int32) -> Bool {
        let first = findings.count
        if JSONView.with(text: name, { accepts($0, node, -1) }) { return true }
        if explains { extend(from: first, .propertyNames, nil, Bytes(name)) }
        return false
    }

    mutating func checkDependency(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView, _ region: Int
    ) -> Bool {
        let trigger = slots + Int(instruction.pointee.a)
        let name = pool + Int(trigger.pointee.offset)
        guard member(name, Int(trigger.pointee.length), of: value) != nil else { return true }
        let token = explains ? Bytes(UnsafeRawBufferPointer(start: name, count: Int(trigger.pointee.length))) : nil
        if instruction.pointee.operation == .dependentSchema {
            return passes(instruction, token, nil) { $0.accepts(value, instruction.pointee.low, region) }
        }
        for index in 0..<Int(instruction.pointee.low) {
            steps &-= 1
            let needed = trigger + index + 1
            let start = pool + Int(needed.pointee.offset)
            if member(start, Int(needed.pointee.length), of: value) == nil {
                if explains, let token {
                    let missing = Bytes(UnsafeRawBufferPointer(start: start, count: Int(needed.pointee.length)))
                    add(
                        "\"\(token.printable)\" requires \"\(missing.printable)\", which is missing",
                        instruction.pointee.keyword, token,
                        parameter: missing)
                }
                return false
            }
        }
        return true
    }

    mutating func checkUnevaluatedMembers(
        _ value: JSONView, _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ region: Int
    ) -> Bool {
        var fits = true
        var position = 0
        var members = value.members
        while let (text, child) = members.read() {
            guard let name = text.baseAddress else { return false }
            steps &-= 1
            if !isMarked(region, position) {
                if memberFits(child, instruction.pointee.a, name, text.count, .unevaluatedProperties) {
                    mark(region, position)
                } else {
                    fits = false
                    if isDone { return false }
                }
            }
            position &+= 1
        }
        return fits
    }

    // MARK: Elements

    @_optimize(speed) @inline(never)
    mutating func checkItems(
        _ value: JSONView, _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ region: Int
    ) -> Bool {
        var index = Int(truncatingIfNeeded: instruction.pointee.b)
        let node = nodes + Int(instruction.pointee.a)
        var fits = true
        let plain = region < 0 ? plainKinds(node) : 0
        var elements = value.elements
        for _ in 0..<index where elements.read() == nil { return true }
        while true {
            if plain != 0 {
                let count = elements.skip(plain)
                steps &-= count
                index &+= count
            }
            guard let element = elements.next() else { break }
            steps &-= 1
            if steps < 0 { return stop(.steps) }
            let bit = element.bit
            if !fitsLeaf(node, element, bit)
                && !elementFits(element, instruction.pointee.a, index, .items, nil)
            {
                fits = false
                if isDone { return false }
            }
            if region >= 0 { mark(region, index) }
            index &+= 1
        }
        return steps < 0 ? stop(.steps) : fits
    }

    @inline(__always)
    private mutating func elementFits(
        _ value: JSONView, _ node: Int32, _ index: Int, _ keyword: SchemaKeyword, _ token: Bytes?
    ) -> Bool {
        let first = findings.count
        if accepts(value, node, -1) { return true }
        if explains { extend(from: first, keyword, token, "\(index)") }
        return false
    }

    mutating func checkPrefix(
        _ value: JSONView, _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ region: Int
    ) -> Bool {
        var fits = true
        var elements = value.elements
        for index in 0..<Int(instruction.pointee.b) {
            guard let child = elements.read() else { break }
            let node = lists[Int(instruction.pointee.a) &+ index]
            if !elementFits(child, node, index, .prefixItems, explains ? "\(index)" : nil) {
                fits = false
                if isDone { return false }
            }
            mark(region, index)
        }
        return fits
    }

    mutating func checkContains(
        _ value: JSONView, _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ region: Int
    ) -> Bool {
        let minimum = Int(instruction.pointee.low)
        let maximum = Int(instruction.pointee.high)
        var found = 0
        var index = 0
        var elements = value.elements
        while let child = elements.read() {
            steps &-= 1
            if tries({ $0.accepts(child, instruction.pointee.a, -1) }) {
                found &+= 1
                mark(region, index)
                if found > maximum || region < 0 && found >= minimum && maximum == Int(Int32.max) { break }
            }
            if halt != .none { return false }
            index &+= 1
        }
        if found < minimum { return refuse(instruction, value, minimum == 1 ? .contains : .minContains) }
        if found > maximum { return refuse(instruction, value, .maxContains) }
        return true
    }

    mutating func checkUnevaluatedItems(
        _ value: JSONView, _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ region: Int
    ) -> Bool {
        var fits = true
        var index = 0
        var elements = value.elements
        while let child = elements.read() {
            steps &-= 1
            if !isMarked(region, index) {
                if elementFits(child, instruction.pointee.a, index, .unevaluatedItems, nil) {
                    mark(region, index)
                } else {
                    fits = false
                    if isDone { return false }
                }
            }
            index &+= 1
        }
        return fits
    }

    // MARK: Evaluated members and elements

    private func words(_ value: JSONView) -> Int {
        (value.count &+ 63) >> 6
    }

    /// Begins a region for one object or array, with all bits clear.
    mutating func openRegion(_ value: JSONView) -> Int {
        let start = marks.count
        let count = words(value)
        steps &-= count
        for _ in 0..<count { marks.append(0) }
        return start
    }

    /// Ends the last region; its bits are added to another one, unless that is -1.
    mutating func closeRegion(_ region: Int, into other: Int) {
        if other >= 0 {
            var index = region
            while index < marks.count {
                marks[other &+ (index &- region)] |= marks[index]
                index &+= 1
            }
        }
        marks.removeLast(marks.count &- region)
    }

    @inline(__always)
    mutating func mark(_ region: Int, _ position: Int) {
        // proof: a region has a bit for each member or element of its value, which does not change during the check.
        if region >= 0 { marks[region &+ position >> 6] |= 1 << UInt64(position & 63) }
    }

    private func isMarked(_ region: Int, _ position: Int) -> Bool {
        region >= 0 && marks[region &+ position >> 6] >> UInt64(position & 63) & 1 != 0
    }
}

// Completes the types when all of them are known: which ones are used, which members only one direction has, and how the options of
// a union are distinguished.

internal import RoutableCore

extension Blueprint {
    mutating func finish() {
        straightenUnions()
        for index in unions.indices where unions[index].discriminator == nil {
            unions[index].discriminator = told(unions[index])
        }
        relax()
        keepUsed()
    }

    // MARK: - Discriminators

    /// A member that all options that are objects have, with different values in each of them; nil if there is none.
    private func told(_ union: Union) -> Union.Discriminator? {
        var options: [(place: Int, record: Record)] = []
        for (place, option) in union.options.enumerated() {
            switch option.type.shape {
            case .record(let index): options.append((place, records[index]))
            case .map, .union, .any: return nil
            default: break
            }
        }
        guard options.count > 1, options.count <= 1024, let first = options.first?.record else { return nil }
        for field in first.fields {
            guard case .choice = field.type.shape else { continue }
            var values: [(value: String, option: Int)] = []
            var seen = Set<String>()
            let isTold = options.allSatisfy { place, record in
                guard let same = record.fields.first(where: { $0.name == field.name }), !same.type.isNullable,
                    case .choice(let choice) = same.type.shape
                else { return false }
                for value in choices[choice].values { values.append((value, place)) }
                return choices[choice].values.allSatisfy { seen.insert($0).inserted }
            }
            if isTold { return Union.Discriminator(property: field.name, values: values) }
        }
        return nil
    }

    // MARK: - One direction

    /// A member that only responses have is not required in requests, and vice versa.
    private mutating func relax() {
        var sent = Reach(self), received = Reach(self)
        for action in allActions {
            switch action.input {
            case .typed(let type, _): sent.add(type)
            case .multipart(let type?, _, _): sent.add(type)
            default: break
            }
            if case .typed(.typed(let type), _) = action.output { received.add(type) }
            for error in action.errors { if case .typed(let type)? = error.payload { received.add(type) } }
            if let stream = action.stream { received.add(stream.item) }
        }
        for index in sent.records {
            for field in records[index].fields.indices where records[index].fields[field].isReadOnly {
                records[index].fields[field].isRequired = false
            }
        }
        for index in received.records {
            for field in records[index].fields.indices where records[index].fields[field].isWriteOnly {
                records[index].fields[field].isRequired = false
            }
        }
    }

    /// Makes all members of objects in responses optional, so that every type can represent a response without them.
    mutating func makeLenient() {
        var received = Reach(self)
        for action in allActions {
            if case .typed(.typed(let type), _) = action.output { received.add(type) }
            for error in action.errors { if case .typed(let type)? = error.payload { received.add(type) } }
            if let stream = action.stream { received.add(stream.item) }
        }
        for index in received.records {
            for field in records[index].fields.indices { records[index].fields[field].isRequired = false }
        }
    }

    // MARK: - Use

    /// Removes types that no operation uses, unless the description has no operations.
    private mutating func keepUsed() {
        var used = Reach(self)
        for action in allActions {
            for parameter in action.parameters { used.add(parameter.type) }
            switch action.input {
            case .typed(let type, _): used.add(type)
            case .multipart(let type?, _, _): used.add(type)
            default: break
            }
            if case .typed(.typed(let type), _) = action.output { used.add(type) }
            for error in action.errors { if case .typed(let type)? = error.payload { used.add(type) } }
            // The items of pages are within the output.
            if let stream = action.stream { used.add(stream.item) }
        }
        if allActions.isEmpty { return }
        var records: [Int: Int] = [:], choices: [Int: Int] = [:], unions: [Int: Int] = [:]
        for index in used.records.sorted() { records[index] = records.count }
        for index in used.choices.sorted() { choices[index] = choices.count }
        for index in used.unions.sorted() { unions[index] = unions.count }
        func moved(_ type: Typing) -> Typing {
            let shape: Shape =
                switch type.shape {
                case .record(let index): .record(records[index] ?? 0)
                case .choice(let index): .choice(choices[index] ?? 0)
                case .union(let index): .union(unions[index] ?? 0)
                case .list(let inner): .list(moved(inner))
                case .map(let inner): .map(moved(inner))
                default: type.shape
                }
            return Typing(shape: shape, isNullable: type.isNullable)
        }
        func moved(_ payload: Payload) -> Payload {
            if case .typed(let type) = payload { .typed(moved(type)) } else { payload }
        }
        func moved(_ actions: [Action]) -> [Action] {
            actions.map { old in
                var action = old
                for index in action.parameters.indices { action.parameters[index].type = moved(action.parameters[index].type) }
                switch action.input {
                case .typed(let type, let isRequired): action.input = .typed(moved(type), isRequired: isRequired)
                case .multipart(let type, let files, let isRequired):
                    action.input = .multipart(type.map { moved($0) }, files: files, isRequired: isRequired)
                default: break
                }
                if case .typed(let payload, let mayBeEmpty) = action.output {
                    action.output = .typed(moved(payload), mayBeEmpty: mayBeEmpty)
                }
                action.item = action.item.map { moved($0) }
                if let stream = action.stream {
                    action.stream = StreamPlan(isEvents: stream.isEvents, item: moved(stream.item))
                }
                for index in action.errors.indices {
                    action.errors[index].payload = action.errors[index].payload.map { moved($0) }
                }
                for index in action.statuses.indices {
                    action.statuses[index].payload = action.statuses[index].payload.map { moved($0) }
                }
                return action
            }
        }
        self.records = used.records.sorted().map { index in
            var record = self.records[index]
            for place in record.fields.indices { record.fields[place].type = moved(record.fields[place].type) }
            return record
        }
        self.choices = used.choices.sorted().map { self.choices[$0] }
        self.unions = used.unions.sorted().map { index in
            var union = self.unions[index]
            for place in union.options.indices { union.options[place].type = moved(union.options[place].type) }
            return union
        }
        actions = moved(actions)
        for index in resources.indices { resources[index].actions = moved(resources[index].actions) }
    }
}

/// The types that other types refer to.
private struct Reach {
    let blueprint: Blueprint
    var records = Set<Int>(), choices = Set<Int>(), unions = Set<Int>()

    init(_ blueprint: Blueprint) { self.blueprint = blueprint }

    mutating func add(_ type: Typing) {
        var waiting = [type]
        while let next = waiting.popLast() {
            switch next.shape {
            case .record(let index):
                if records.insert(index).inserted { waiting += blueprint.records[index].fields.map(\.type) }
            case .union(let index): if unions.insert(index).inserted { waiting += blueprint.unions[index].options.map(\.type) }
            case .choice(let index): choices.insert(index)
            case .list(let inner), .map(let inner): waiting.append(inner)
            default: break
            }
        }
    }
}

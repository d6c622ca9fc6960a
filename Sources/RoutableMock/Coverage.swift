// Coverage: the parts of a description that exchanges have used.
//
// The counted parts are operations, statuses, parameters, media types, and the values and branches of schemas.  The memory depends only
// on the description: each of the first undeclared names has its own counter, and all further undeclared names share one.

internal import CSystem
package import RoutableCore
package import RoutableService

/// Undeclared names, each with the number of its uses.
package struct NameCounts {
    package private(set) var list: [(name: Bytes, count: Int)] = []
    /// Uses of further names.
    package private(set) var further = 0

    package static let limit = 20
    private static let nameBytes = 200

    mutating func add(_ name: Bytes) {
        let name = name.count > Self.nameBytes ? Bytes(name.storage[..<Self.nameBytes]).printable : name.printable
        if let index = list.firstIndex(where: { $0.name == name }) {
            list[index].count &+= 1
        } else if list.count < Self.limit {
            list.append((name, 1))
        } else {
            further &+= 1
        }
    }
}

/// The counts of one operation.
struct OperationCoverage {
    var requests = 0
    /// Requests that the description does not allow.
    var refused = 0
    /// The counters of the declared results, of the parameters, of the media types of requests, and of the media types of each result.
    var results: [Int]
    var parameters: [Int]
    var bodies: [Int]
    var contents: [[Int]]
    /// For each parameter, the counters of its values and branches; empty until the first use.
    var choices: [[Int]]
    var otherStatuses = NameCounts()
    var otherParameters = NameCounts()
    var otherMediaTypes = NameCounts()

    init(_ operation: OperationEntry) {
        let results = operation.declaredResults
        self.results = results.map { _ in 0 }
        parameters = operation.parameters.map { _ in 0 }
        bodies = operation.mediaTypes.map { _ in 0 }
        contents = results.map { $0.mediaTypes.map { _ in 0 } }
        choices = operation.parameters.map { _ in [] }
    }
}

extension OperationEntry {
    /// The results that the document declares.
    var declaredResults: [ResultDescription] { description.results.filter { !$0.isImplied } }

    /// The index of the declared result for a status.
    func resultPlace(_ status: Int32) -> Int? {
        guard let result = declaredResult(for: status) else { return nil }
        return declaredResults.firstIndex {
            result.isImplied ? $0.highest == 999 : $0.lowest == result.lowest && $0.highest == result.highest
        }
    }
}

extension ResultDescription {
    var mediaTypes: [Bytes] { contents.isEmpty ? produced : contents.map { $0.mediaType } }

    /// The index of the media type that describes a Content-Type.
    func mediaType(of contentType: Bytes) -> Int? {
        if !contents.isEmpty { return contentType.storage.withUnsafeBytes { content(for: $0) } }
        let essence = BodyWriter.essence(contentType)
        return produced.firstIndex { BodyWriter.essence($0) == essence }
    }
}

/// The coverage of one description.  Any number of threads may use it.
package final class Coverage: @unchecked Sendable {
    package let router: PlannedRouter
    private let options: ReceiveOptions
    let survey: (any SchemaSurvey)?
    /// The points of the survey that belong to the schemas of bodies.
    let points: [Int]
    private let lock = csystem_lock_new()
    // Guarded by the lock.
    private(set) var operations: [OperationCoverage] = []
    /// The counters of the values and branches of bodies, indexed by their numbers in the survey.
    private(set) var choices: [Int]
    private(set) var requests = 0
    private(set) var unmatched = NameCounts()
    /// Bodies whose values could not be counted: they are not JSON, or too large.
    private(set) var unread = 0

    /// The maximum number of schemas that are visited for a parameter.
    static let parameterSchemas = 1024

    /// - Parameter basePath: the path in front of the paths of the API; nil for the path of the base of the description.
    /// - Throws: `document`, `limit`, `memory`.
    package static func make(_ router: PlannedRouter, basePath: Bytes?) throws(Failure) -> Coverage {
        let survey = try router.router.codec?.survey(router.router.description.types)
        try Memory.check()
        return Coverage(router, survey, basePath)
    }

    private init(_ router: PlannedRouter, _ survey: (any SchemaSurvey)?, _ basePath: Bytes?) {
        self.router = router
        self.survey = survey
        var options = ReceiveOptions()
        options.basePath = basePath
        self.options = options
        var types: [Int] = []
        for number in 0..<router.router.operationCount {
            guard let entry = router.router.operation(numbered: UInt32(truncatingIfNeeded: number)) else { continue }
            operations.append(OperationCoverage(entry))
            let description = entry.description
            if let type = description.bodyType { types.append(type) }
            for body in description.bodies { if let type = body.type { types.append(type) } }
            for result in entry.declaredResults {
                if result.contents.isEmpty, let type = result.type { types.append(type) }
                for content in result.contents { if let type = content.type { types.append(type) } }
            }
        }
        points = survey?.points(of: types, limit: .max) ?? []
        choices = [Int](repeating: 0, count: survey?.points.last.map { $0.first &+ $0.names.count } ?? 0)
    }

    deinit { csystem_lock_free(lock) }

    func locked<Result>(_ body: () -> Result) -> Result {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return body()
    }

    // MARK: - Exchanges

    /// Counts an exchange.
    ///
    /// - Parameters:
    ///   - status: 0 for a request without a response.
    ///   - body: the body of the response without a content coding.
    /// - Throws: `memory`; then nothing is counted.
    package func add(_ incoming: Incoming, status: Int32, contentType: Bytes, body: Bytes) throws(Failure) {
        let observed: Observed
        do throws(Failure) { observed = try Observed(router, incoming, options) } catch {
            if error.status == .memory { throw error }
            let target = incoming.target.storage
            let path = Bytes(target[..<(target.firstIndex(of: UInt8(ascii: "?")) ?? target.count)])
            locked {
                requests &+= 1
                unmatched.add("\(incoming.method) \(path.hasPrefix("/") ? path : Base.shown(path))")
            }
            return
        }
        let operation = observed.plan.operation
        let place = status > 0 ? operation.resultPlace(status) : nil
        let result = place.map { operation.declaredResults[$0] }
        let mediaType = contentType.isEmpty ? nil : result?.mediaType(of: contentType)
        var found: [Int] = []
        var isRead = true
        let ofRequest = observed.hasBody ? bodyNumber(observed, operation) : nil
        if let survey {
            let type = ofRequest.map { operation.description.bodies[$0].type } ?? operation.description.bodyType
            if let type, let json = observed.json {
                isRead = try survey.find(in: json, type, list: nil, direction: .body) { found.append($0) }
            }
            if let result, !body.isEmpty, contentType.isEmpty || BodyWriter.isJSON(contentType) {
                let type = result.contents.isEmpty ? result.type : mediaType.flatMap { result.contents[$0].type }
                let list = result.isList ? operation.rules?.pagination?.items.bytes ?? Bytes() : nil
                if let type {
                    let fits = try survey.find(in: body, type, list: list, direction: .result(.value)) { found.append($0) }
                    isRead = isRead && fits
                }
            }
        }
        var choices: [(parameter: Int, choices: Choices, found: [Int])] = []
        for (index, value) in observed.parameters {
            let own = self.choices(of: operation.parameters[index])
            if let value, !own.isEmpty { choices.append((index, own, try own.find(value, self))) }
        }
        try Memory.check()
        locked {
            requests &+= 1
            if !isRead { unread &+= 1 }
            for number in found { self.choices[number] &+= 1 }
            // proof: the number is that of an operation of the router.
            operations[observed.operation].requests &+= 1
            if !observed.isAccepted { operations[observed.operation].refused &+= 1 }
            count(observed, operation, ofRequest)
            for (index, own, found) in choices {
                var counts = operations[observed.operation].choices[index]
                if counts.isEmpty { counts = [Int](repeating: 0, count: own.count(self)) }
                for place in found { counts[place] &+= 1 }
                operations[observed.operation].choices[index] = counts
            }
            if let place, let result {
                operations[observed.operation].results[place] &+= 1
                if let mediaType {
                    operations[observed.operation].contents[place][mediaType] &+= 1
                } else if !body.isEmpty, !contentType.isEmpty, !result.mediaTypes.isEmpty {
                    operations[observed.operation].otherMediaTypes.add("\(status) \(BodyWriter.essence(contentType))")
                }
            } else if status > 0, !operation.declaredResults.isEmpty {
                operations[observed.operation].otherStatuses.add("\(status)")
            }
        }
    }

    /// The index of the media type of a request.
    private func bodyNumber(_ observed: Observed, _ operation: OperationEntry) -> Int? {
        guard let chosen = try? operation.body(of: observed.contentType.isEmpty ? nil : observed.contentType) else {
            return nil
        }
        return operation.description.bodies.firstIndex { $0.mediaType == chosen.mediaType }
    }

    private func count(_ observed: Observed, _ operation: OperationEntry, _ body: Int?) {
        let number = observed.operation
        for (index, _) in observed.parameters { operations[number].parameters[index] &+= 1 }
        for name in observed.undeclared { operations[number].otherParameters.add(name) }
        if let body {
            operations[number].bodies[body] &+= 1
        } else if observed.hasBody, !observed.contentType.isEmpty, !operation.description.bodies.isEmpty {
            operations[number].otherMediaTypes.add("request \(BodyWriter.essence(observed.contentType))")
        }
    }

    // MARK: - The values of parameters

    /// The values and branches of one parameter.
    struct Choices {
        let parameter: ParameterEntry
        /// The points of the survey, if the parameter has its own schema.
        let points: [Int]

        var isEmpty: Bool {
            points.isEmpty && (parameter.description.type != nil || parameter.description.scalar.values.isEmpty)
        }

        func count(_ coverage: Coverage) -> Int {
            if points.isEmpty { return parameter.description.scalar.values.count }
            return points.reduce(0) { $0 &+ (coverage.survey?.points[$1].names.count ?? 0) }
        }

        /// The indices of the values and branches that a value uses.
        func find(_ value: Value, _ coverage: Coverage) throws(Failure) -> [Int] {
            var found: [Int] = []
            if let type = parameter.description.type {
                guard let survey = coverage.survey else { return [] }
                let kind = parameter.description.style?.kind
                _ = try survey.find(in: value, isJSON: kind == .json || kind == .queryJSON, type) { number in
                    var start = 0
                    for point in points.map({ survey.points[$0] }) {
                        if number >= point.first && number < point.first &+ point.names.count {
                            found.append(start &+ number &- point.first)
                        }
                        start &+= point.names.count
                    }
                }
                return found
            }
            var elements = [value]
            if case .array(let list) = value { elements = list }
            for element in elements {
                if let text = element.scalarText, let place = parameter.description.scalar.values.firstIndex(of: text) {
                    found.append(place)
                }
            }
            return found
        }
    }

    func choices(of parameter: ParameterEntry) -> Choices {
        let type = parameter.description.isCredential ? nil : parameter.description.type
        return Choices(
            parameter: parameter,
            points: type.flatMap { survey?.points(of: [$0], limit: Self.parameterSchemas) } ?? [])
    }
}

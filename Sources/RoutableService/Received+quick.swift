// Reads a usual request (QuickReading.swift) into the memory of the object.

internal import RoutableCore
internal import RoutableJSON

extension Received {
    /// Reads a request without an allocation, if it is usual and accepted; otherwise the object stays empty.
    @_optimize(speed)
    package func readQuickly(_ incoming: IncomingView, _ options: ReceiveOptions) -> Bool {
        clear()
        if options.verify != nil || incoming.headers.count > Self.quickFields || incoming.body.count > options.maximumBodyBytes
        {
            return false
        }
        guard let target = try? Target(incoming.target) else { return false }
        guard let (path, flags) = target.path(below: options.basePath, in: incoming.target) else { return false }
        return withUnsafeTemporaryAllocation(byteCount: MatchLayout.byteCount, alignment: 8) { result in
            guard let result = result.baseAddress, let start = incoming.target.baseAddress,
                router.router.match(incoming.method, start + path.lowerBound, path.count, flags.rawValue, result)
                    == Status.ok.rawValue
            else { return false }
            let operation = result.load(fromByteOffset: MatchLayout.operation, as: UInt32.self)
            let node = result.load(fromByteOffset: MatchLayout.node, as: UInt32.self)
            let count = Int(result.load(fromByteOffset: MatchLayout.captureCount, as: UInt32.self))
            let captures = UnsafeBufferPointer(
                start: UnsafePointer((result + MatchLayout.captures).assumingMemoryBound(to: Capture.self)),
                count: min(count, Limits.idsPerRoute))
            let note = router.notes.find(operation) { unsafeDowncast($0, to: QuickReading.self).isFor(node, captures) }
            guard let note else { return false }
            return note._withUnsafeGuaranteedRef { note in
                let prepared = unsafeDowncast(note, to: QuickReading.self)
                guard
                    begin(prepared, incoming),
                    readFields(prepared, incoming),
                    readIds(prepared, captures, start + path.lowerBound, path.count),
                    readQuery(prepared, incoming.target.part(target.query.lowerBound, target.query.upperBound)),
                    readHeaders(prepared, options),
                    readBody(prepared, incoming.body), !Memory.hasFailed
                else { return false }
                quick = Unmanaged.passUnretained(prepared)
                self.options = options
                return true
            }
        }
    }

    /// The maximum number of header fields, and of items of the query, because each is compared with all others.
    private static var quickFields: Int { 64 }

    private func begin(_ prepared: QuickReading, _ incoming: IncomingView) -> Bool {
        // Each summand is below a limit, or at most `maximumBodyBytes`.
        var bytes = incoming.target.count &* 3 &+ incoming.body.count &+ 64
        var ofFields = 0
        for field in incoming.headers {
            if field.valueCount > Limits.valueBytes || field.nameCount > Limits.valueBytes { return false }
            ofFields &+= field.nameCount &+ field.valueCount
        }
        if ofFields > Limits.valueBytes { return false }
        bytes &+= ofFields &+ incoming.headers.count &* 2
        bytes &+= prepared.ids.count &+ prepared.query.count
        let values = prepared.ids.count &+ prepared.query.count &+ prepared.headers.count &+ incoming.headers.count
        guard
            memory.begin(
                values: values, credentials: prepared.schemes.count, headers: incoming.headers.count, bytes: bytes),
            let target = memory.keep(incoming.target)
        else { return false }
        memory.target = target
        return true
    }

    /// Copies the header fields; false if a field is not valid or its name is repeated.
    private func readFields(_ prepared: QuickReading, _ incoming: IncomingView) -> Bool {
        for field in incoming.headers {
            let name = UnsafeRawBufferPointer(start: field.name, count: field.nameCount)
            let trimmed = UnsafeRawBufferPointer(start: field.value, count: field.valueCount).trimmedOfBlanks
            if name.isEmpty || !HeaderField.isValidValue(trimmed) || !UTF8Check.isValid(trimmed) { return false }
            for byte in name where !ASCII.isToken(byte) { return false }
            for index in 0..<memory.headerCount {
                if let (known, _) = memory.header(index), known.isName(name) { return false }
            }
            guard let kept = memory.keep(name), let text = memory.keep(trimmed) else { return false }
            memory.add(header: kept, text, limit: incoming.headers.count)
        }
        return true
    }

    private func field(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        for index in 0..<memory.headerCount {
            if let (known, value) = memory.header(index), known.isName(name) { return value }
        }
        return nil
    }

    /// The value of a header field of a usual request; nil if it is absent.
    func field(_ name: StaticString) -> Bytes? { field(name.rawBytes).map { Bytes($0) } }

    private func readIds(
        _ prepared: QuickReading, _ captures: UnsafeBufferPointer<Capture>, _ path: UnsafeRawPointer, _ count: Int
    ) -> Bool {
        // proof: the captures of a match are ranges of the path, and `isFor` has compared their number.
        for (index, capture) in captures.enumerated() {
            let (offset, length) = (Int(capture.offset), Int(capture.length))
            guard prepared.ids.indices.contains(index), length > 0, offset &+ length <= count,
                let text = memory.decode(UnsafeRawBufferPointer(start: path + offset, count: length), plusIsSpace: false)
            else { return false }
            let id = prepared.ids[index]
            if id.isWhole, text.equals(".") || text.equals("..") { return false }
            guard let view = id.view(.path, text) else { return false }
            memory.add(view)
        }
        return true
    }

    /// Reads a query; false unless each item is a declared parameter.
    private func readQuery(_ prepared: QuickReading, _ query: UnsafeRawBufferPointer) -> Bool {
        var items = 0
        var start = 0
        while start < query.count {
            let (name, _, next) = Self.item(query, start)
            let isEmpty = next &- start == 1
            start = next
            if isEmpty { continue }
            if name.isEmpty { return false }
            items &+= 1
            if items > Self.quickFields { return false }
            var isKnown = false
            for parameter in prepared.query where parameter.name.buffer.elementsEqual(name) { isKnown = true }
            if !isKnown { return false }
        }
        for parameter in prepared.query {
            var found: ReceivedView?
            start = 0
            while start < query.count {
                let (name, value, next) = Self.item(query, start)
                start = next
                if !parameter.name.buffer.elementsEqual(name) { continue }
                guard found == nil, let text = memory.decode(value, plusIsSpace: true),
                    let view = parameter.view(.query, text)
                else { return false }
                found = view
            }
            if let value = found ?? parameter.absent { memory.add(value) } else if parameter.isRequired { return false }
        }
        return true
    }

    /// An item of a query, and the offset of the next one.  A name with an escape is not equal to any declared name.
    private static func item(
        _ query: UnsafeRawBufferPointer, _ start: Int
    ) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, next: Int) {
        var end = start
        var equals = -1
        while end < query.count, query[end] != UInt8(ascii: "&") {
            if equals < 0, query[end] == UInt8(ascii: "=") { equals = end }
            end &+= 1
        }
        if equals < 0 { equals = end }
        return (
            query.part(start, equals),
            query.part(min(equals &+ 1, end), end), end &+ 1
        )
    }

    private func readHeaders(_ prepared: QuickReading, _ options: ReceiveOptions) -> Bool {
        let authorization = field(StaticString("authorization").rawBytes)
        for scheme in prepared.schemes {
            var found: UnsafeRawBufferPointer?
            if let word = scheme.word {
                found = authorization.flatMap { $0.credential(after: word.buffer) }
            } else {
                found = field(scheme.header.buffer)
            }
            guard let value = found else { continue }
            var view = ReceivedView(.header, scheme.name.buffer)
            view.kind = .text
            view.text = value
            memory.add(credential: view)
        }
        if options.requiresCredentials, !hasCredentials(prepared) { return false }
        for parameter in prepared.headers {
            guard let text = field(parameter.name.buffer) else {
                if let value = parameter.absent { memory.add(value) } else if parameter.isRequired { return false }
                continue
            }
            guard let view = parameter.view(.header, text) else { return false }
            memory.add(view)
        }
        for index in 0..<memory.headerCount {
            guard let (name, value) = memory.header(index) else { continue }
            if name.isName("cookie") || name.isName("content-encoding") { return false }
            if name.isName("content-type") {
                memory.contentType = value
                continue
            }
            if prepared.headers.contains(where: { $0.name.buffer.isName(name) })
                || prepared.schemes.contains(where: { $0.word == nil && $0.header.buffer.isName(name) })
                || Reading.isHeldElsewhere(name)
            {
                continue
            }
            if name.isName("authorization"), hasAuthorization(prepared) { continue }
            if let own = prepared.ownHeaders.first(where: { $0.name.storage.withUnsafeBytes { $0.isName(name) } }),
                own.value.storage.elementsEqual(value)
            {
                continue
            }
            var view = ReceivedView(.header, name)
            view.kind = .text
            view.text = value
            memory.add(view)
        }
        return true
    }

    /// Whether all credentials of one alternative are present, or none is required.
    private func hasCredentials(_ prepared: QuickReading) -> Bool {
        if prepared.alternatives.isEmpty { return true }
        for alternative in prepared.alternatives {
            var isComplete = true
            for number in alternative where prepared.schemes.indices.contains(number) {
                var isThere = false
                for index in 0..<memory.credentialCount {
                    // The name of a credential points to the name of its scheme, so that the addresses can be compared.
                    let name = memory.credential(index)?.name.baseAddress
                    isThere = isThere || name == prepared.schemes[number].name.buffer.baseAddress
                }
                isComplete = isComplete && isThere
            }
            if isComplete { return true }
        }
        return false
    }

    /// Whether the Authorization header was one of the credentials.
    private func hasAuthorization(_ prepared: QuickReading) -> Bool {
        for index in 0..<memory.credentialCount {
            guard let name = memory.credential(index)?.name else { continue }
            for scheme in prepared.schemes where scheme.word != nil && scheme.name.buffer.elementsEqual(name) { return true }
        }
        return false
    }

    private func readBody(_ prepared: QuickReading, _ body: UnsafeRawBufferPointer) -> Bool {
        if body.isEmpty {
            return field(StaticString("content-type").rawBytes) == nil && !prepared.requiresBody
                && field(StaticString("content-length").rawBytes).map { $0.equals("0") } ?? true
        }
        guard case .json(let mediaType, let checker) = prepared.body, memory.contentType.elementsEqual(mediaType.storage) else {
            return false
        }
        if let checker {
            if !checker.accepts(json: body) { return false }
        } else {
            guard (try? JSONDocument.read(body, JSONReading(rejectsDuplicates: true))) != nil else { return false }
        }
        guard let kept = memory.keep(body) else { return false }
        memory.body = kept
        return true
    }
}

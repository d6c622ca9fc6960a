// The body of a response: its possible media types, the one that the request prefers, and its validation.

package import RoutableCore
internal import RoutableJSON

extension Reply {
    /// A scalar as JSON.
    package static func json(of value: Value) throws(Failure) -> Bytes {
        var writer = JSONWriter()
        try writer.value(value)
        return writer.text
    }
}

extension ReplyAssembly {
    /// The possible media types of the body, in the order of the description; at least one.
    func offers(
        _ content: ReplyContent, _ contentType: Bytes?, _ result: ResultDescription?, _ status: Int32
    ) throws(Failure) -> [MediaOffer] {
        if let contentType {
            if MediaType(contentType) == nil {
                throw Failure(.header, "\"\(contentType.printable)\" is not a media type") { $0.parameter = "Content-Type" }
            }
            return [try offer(contentType, result, status)]
        }
        var json: [MediaOffer] = []
        var others: [MediaOffer] = []
        for content in result?.contents ?? [] {
            let isAny = content.mediaType.isName("*/*") || content.mediaType.isName("application/*")
            if content.isRange ? isAny : content.isJSON {
                json.append(MediaOffer(content.isRange ? "application/json" : content.mediaType, content.type))
            } else if !content.isRange {
                others.append(MediaOffer(content.mediaType, nil))
            }
        }
        let isOpen = result?.contents.isEmpty ?? true
        if isOpen { json = [MediaOffer("application/json", result?.type)] }
        switch content {
        case .none: return []
        case .json: return json.isEmpty ? [try offer("application/json", result, status)] : json
        case .items(let items):
            let names: [Bytes] =
                items.kind == .events
                ? ["text/event-stream"] : ["application/jsonl", "application/x-ndjson", "application/x-jsonlines"]
            let declared = others.filter { offer in names.contains { offer.media?.essence == $0 } }
            return try declared.isEmpty ? [offer(names.first ?? Bytes(), result, status)] : declared
        case .file(let path):
            let guess = MediaType.of(file: path)
            let isDeclared = guess.storage.withUnsafeBytes { result?.content(for: $0) } != nil
            if isDeclared || isOpen && result?.type == nil { return [try offer(guess, result, status)] }
        case .bytes, .descriptor: break
        }
        // Bytes get a media type that is not JSON, unless only JSON is declared.
        if isOpen ? result?.type == nil : !others.isEmpty || json.isEmpty {
            return try others.isEmpty ? [offer("application/octet-stream", result, status)] : others
        }
        return json
    }

    /// - Throws: `body` for a media type that is not declared.
    private func offer(_ text: Bytes, _ result: ResultDescription?, _ status: Int32) throws(Failure) -> MediaOffer {
        guard let result else { return MediaOffer(text, nil) }
        let isJSON = BodyWriter.isJSON(text)
        if !result.contents.isEmpty {
            guard let index = text.storage.withUnsafeBytes({ result.content(for: $0) }) else {
                throw result.undeclared(text, status)
            }
            return MediaOffer(text, isJSON ? result.contents[index].type : nil)
        }
        if result.type != nil, !isJSON, !result.otherMediaTypes.contains(where: { $0 == BodyWriter.essence(text) }) {
            throw body("the media type \(text.printable) is not declared for the status \(status); application/json is")
        }
        return MediaOffer(text, isJSON ? result.type : nil)
    }

    /// - Throws: `value` with 406.  If the response is an error, or the request may have changed state, it is sent even if its media type is
    ///   not acceptable.
    func choose(_ offers: [MediaOffer], _ status: Int32) throws(Failure) -> Int {
        if let index = Accept.choose(conditions.accept, offers) { return index }
        if status >= 400 || !conditions.isSafe { return 0 }
        let available = offers.map { $0.text }
        throw refused(406, "Accept", "the response is available as \(available)", available.ordered())
    }

    func make(
        _ content: ReplyContent, _ offer: MediaOffer, _ result: ResultDescription?, _ maximumErrors: Int
    ) throws(Failure) -> Made {
        let isJSON = BodyWriter.isJSON(offer.text)
        switch content {
        case .none: return Made()
        case .json(let text):
            if !isJSON { throw body("the body is JSON, and its media type is \(offer.text.printable)") }
            let body = Text(try checked(text, offer, result, maximumErrors))
            return Made(body: body, length: Int64(body.count))
        case .bytes(let bytes):
            if isJSON { _ = try checked(bytes, offer, result, maximumErrors) }
            return Made(body: Text(bytes), length: Int64(bytes.count))
        case .file(let path):
            let file = try ReplyFile.open(path)
            return Made(length: file.length, file: file)
        case .descriptor(let descriptor):
            let file = try ReplyFile.rest(of: descriptor)
            return Made(length: file.length, file: file)
        case .items(let items): return Made(length: nil, items: items)
        }
    }

    /// The JSON without white space, validated against the type of the media type.
    private func checked(
        _ text: Bytes, _ offer: MediaOffer, _ result: ResultDescription?, _ maximumErrors: Int
    ) throws(Failure) -> Bytes {
        try text.withBuffer { (buffer) throws(Failure) in
            let document = try JSONDocument.strict(buffer)
            defer { withExtendedLifetime(document) {} }
            let isList = result?.isList == true
            // The items of a page are only a part of its body.
            let isPage = isList && operation.rules?.pagination?.items.isEmpty == false
            if let type = offer.type, !isPage, !options.isUnchecked {
                let expected: ExpectedBody = operation.rules?.mapsAnyForm == true ? .any : isList ? .list : .value
                let checker = try received.router.router.codec?.checker(of: type, for: .result(expected))
                do throws(Failure) { try checker?.check(json: buffer, maximumErrors: maximumErrors) } catch {
                    throw error.with { $0.message = "\(label): the response is not valid: \($0.message)" }
                }
            }
            return document.view.json
        }
    }
}

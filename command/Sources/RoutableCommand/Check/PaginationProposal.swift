// Proposes the pagination of operations of an OpenAPI document from the names of their parameters and results.

#if Command
import RoutableCore
import RoutableDocuments
import RoutableJSON

/// An operation that seems to be paginated.
struct PaginationProposal {
    /// The pointer of the operation in the document.
    var pointer: Bytes
    var pagination: Value

    private static let links: [Bytes] = ["next", "next_url", "next_page_url", "nextLink", "next_link", "@odata.nextLink"]
    private static let nextCursors: [Bytes] = [
        "next_cursor", "nextCursor", "next_page_token", "nextPageToken", "next_token", "nextToken", "continuation_token",
        "end_cursor",
        "cursor",
    ]
    private static let cursors: [Bytes] = [
        "cursor", "page_token", "pageToken", "next_token", "nextToken", "continuation_token", "starting_after", "after",
    ]
    private static let pages: [Bytes] = ["page", "page_number", "pageNumber"]
    private static let offsets: [Bytes] = ["offset", "skip"]
    private static let sizes: [Bytes] = ["per_page", "page_size", "pageSize", "limit", "size"]
    private static let lists: [Bytes] = ["results", "data", "items", "values", "records", "entries"]
    private static let totals: [Bytes] = ["total", "count", "total_count", "totalCount", "total_items"]
    private static let pageCounts: [Bytes] = ["total_pages", "totalPages", "page_count", "last_page"]

    /// The proposals for operations that declare no pagination, in the order of the document.
    static func all(_ document: Value) -> [PaginationProposal] {
        let reader = Reader(document: document)
        if document.member("x-routable-pagination") != nil { return [] }
        var result: [PaginationProposal] = []
        for path in document.member("paths")?.members ?? [] {
            guard let operation = path.value.member("get"), operation.member("x-routable-pagination") == nil,
                let pagination = reader.pagination(of: operation, path.value)
            else { continue }
            result.append(
                PaginationProposal(pointer: "/paths/\(path.name.pointerEscaped)/get", pagination: .object(pagination)))
        }
        return result
    }

    private struct Reader {
        let document: Value

        /// The value after local references are followed, at most eight of them.
        func resolved(_ value: Value?) -> Value? {
            var value = value
            for _ in 0..<8 {
                guard case .text(let reference)? = value?.member("$ref") else { return value }
                guard reference.hasPrefix("#/") else { return nil }
                value = JSONPointer.target(JSONPointer.tokens(Bytes(reference.storage.dropFirst())), in: document)
            }
            return nil
        }

        func pagination(of operation: Value, _ path: Value) -> [Value.Member]? {
            var query: [Bytes] = []
            for parameter in (operation.member("parameters")?.elements ?? []) + (path.member("parameters")?.elements ?? []) {
                guard let found = resolved(parameter), case .text("query")? = found.member("in"),
                    case .text(let name)? = found.member("name")
                else { continue }
                query.append(name)
            }
            guard let response = response(operation) else { return nil }
            let schema = resolved(response.schema)
            let members = properties(schema, depth: 0)
            let list: Bytes
            if isArray(schema) {
                list = Bytes()
            } else {
                let arrays = members.filter { isArray(resolved($0.value)) }.map { $0.name }
                guard
                    let name = PaginationProposal.lists.first(where: { arrays.contains($0) })
                        ?? (arrays.count == 1 ? arrays.first : nil)
                else { return nil }
                list = "/\(name.pointerEscaped)"
            }
            func parameter(_ names: [Bytes]) -> Bytes? { names.first { query.contains($0) } }
            func member(_ names: [Bytes]) -> Bytes? {
                names.first { name in members.contains { $0.name == name } }.map { "/\($0.pointerEscaped)" }
            }
            var result: [Value.Member] = []
            func set(_ name: Bytes, _ value: Bytes?) {
                if let value, !value.isEmpty { result.append(.init(name: name, value: .text(value))) }
            }
            if let place = member(PaginationProposal.links) {
                set("by", "link")
                set("at", place)
            } else if let parameter = parameter(PaginationProposal.cursors), let place = member(PaginationProposal.nextCursors)
            {
                set("by", "cursor")
                set("at", place)
                set("parameter", parameter)
            } else if let parameter = parameter(["starting_after"]), let more = member(["has_more"]) {
                set("by", "cursor")
                set("last_item", "/id")
                set("parameter", parameter)
                set("more", more)
            } else if response.hasLink {
                set("by", "link")
            } else if let parameter = parameter(PaginationProposal.pages) {
                set("by", "page")
                set("parameter", parameter)
                set("total", member(PaginationProposal.totals))
                set("pages", member(PaginationProposal.pageCounts))
            } else if let parameter = parameter(PaginationProposal.offsets) {
                set("by", "offset")
                set("parameter", parameter)
                set("total", member(PaginationProposal.totals))
            } else {
                return nil
            }
            set("size", parameter(PaginationProposal.sizes))
            set("items", list)
            return result
        }

        /// The JSON schema of the first successful response, and whether the response has a Link header.
        private func response(_ operation: Value) -> (schema: Value?, hasLink: Bool)? {
            for each in operation.member("responses")?.members ?? [] where each.name.storage.first == UInt8(ascii: "2") {
                guard let found = resolved(each.value) else { continue }
                let hasLink = (found.member("headers")?.members ?? []).contains { $0.name.equalsIgnoringCase("Link") }
                if let schema = found.member("schema") { return (schema, hasLink) }
                for content in found.member("content")?.members ?? []
                where content.name.lowercased.hasPrefix("application/json") {
                    return (content.value.member("schema"), hasLink)
                }
            }
            return nil
        }

        private func properties(_ schema: Value?, depth: Int) -> [Value.Member] {
            // proof: the recursion ends at four levels of allOf.
            guard depth < 4, let schema else { return [] }
            var found = schema.member("properties")?.members ?? []
            for part in schema.member("allOf")?.elements ?? [] { found += properties(resolved(part), depth: depth + 1) }
            return found
        }

        private func isArray(_ schema: Value?) -> Bool {
            switch schema?.member("type") {
            case .text(let type)?: return type == "array"
            case .array(let types)?: return types.contains { if case .text("array") = $0 { true } else { false } }
            default: return false
            }
        }
    }
}
#endif

// Links: the URLs in a response, followed as requests.

public import CRoutable
internal import RoutableClient
internal import RoutableCore

extension Link {
    fileprivate init(_ given: routable_link) throws(Failure) {
        let response = given.response.map { Handle.object($0, Response.self) }
        let url = try given.url.bytes("link.url")
        let named = (url.isEmpty ? 0 : 1) + (given.relation == nil ? 0 : 1) + (given.pointer == nil ? 0 : 1)
        if named > 1 { throw Failure(.argument, "link: set at most one of url, relation and pointer") }
        let place: Place =
            if let relation = given.relation { .relation(Bytes(cString: relation)) } else if let pointer = given.pointer {
                .pointer(Bytes(cString: pointer))
            } else if url.isEmpty { .location } else { .url(url) }
        self.init(place, of: response)
        if let method = given.method { self.method = Bytes(cString: method) }
        base = optionalName(given.base)
        from = try given.relative_to.bytes("link.relative_to")
        if given.values != nil { values = try Arguments(given.values, given.value_count, "link.values").members() }
    }
}

@_cdecl("routable_router_follow") @implementation
public func routable_router_follow(
    _ router: OpaquePointer?, _ link: UnsafePointer<routable_link>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.router(router)
        if link == nil { throw .null("link") }
        try Handle.give(try Link(try options(link, routable_link(), "link")).request(router), out)
    }
}

@_cdecl("routable_link_find") @implementation
public func routable_link_find(
    _ header: routable_str, _ relation: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<routable_str>?
) -> Int32 {
    guard let relation, let out, let text = try? header.buffer("header"),
        let found = LinkHeader.target(Bytes(cString: relation), in: text)
    else { return 0 }
    out.pointee = routable_str(found)
    return 1
}

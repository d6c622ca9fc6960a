// The values of a JSON text (routable_json_value.h).

public import CRoutable
internal import RoutableCore
internal import RoutableJSON

/// Reads from a document; nil if the document is NULL, or for an invalid place.
@inline(__always)
private func read<Value>(_ json: OpaquePointer?, _ value: (JSONValues) -> Value?) -> Value? {
    json.flatMap { Handle.read($0, JSONValues.self, value) }
}

@_cdecl("routable_json_values_read") @implementation
public func routable_json_values_read(
    _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try Handle.give(try JSONValues.read(Text(copying: try input(json, length, "json"))), out)
    }
}

@_cdecl("routable_response_json_value") @implementation
public func routable_response_json_value(
    _ response: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try Handle.give(try JSONValues.read(try Handle.required(response, Response.self, "response")), out)
    }
}

@_cdecl("routable_json_values_free") @implementation
public func routable_json_values_free(_ json: OpaquePointer?) { Handle.free(json, JSONValues.self) }

@_cdecl("routable_json_kind_of") @implementation
public func routable_json_kind_of(_ json: OpaquePointer?, _ place: UInt64) -> routable_json_kind {
    routable_json_kind(rawValue: read(json) { $0.view(place)?.hostKind } ?? 0)
}

@_cdecl("routable_json_count") @implementation
public func routable_json_count(_ json: OpaquePointer?, _ place: UInt64) -> Int { read(json) { $0.view(place)?.count } ?? 0 }

@_cdecl("routable_json_next") @implementation
public func routable_json_next(_ json: OpaquePointer?, _ container: UInt64, _ child: UInt64) -> UInt64 {
    read(json) { $0.next(container, child) } ?? JSONValues.nowhere
}

@_cdecl("routable_json_children") @implementation
public func routable_json_children(
    _ json: OpaquePointer?, _ container: UInt64, _ child: UInt64, _ items: UnsafeMutablePointer<routable_json_item>?,
    _ capacity: Int
) -> Int {
    guard let items else { return 0 }
    guard var walk = read(json, { $0.walk(container, after: child) }) else { return 0 }
    var count = 0
    while count < capacity, let value = walk.step() {
        // proof: the caller has space for `capacity` items.
        items[count] = routable_json_item(
            place: walk.place, key: routable_str(walk.key), text: routable_str(value.source),
            kind: routable_json_kind(rawValue: value.hostKind), is_plain: value.isPlainText ? 1 : 0, count: value.count)
        count &+= 1
    }
    return count
}

@_cdecl("routable_json_key") @implementation
public func routable_json_key(_ json: OpaquePointer?, _ member: UInt64) -> routable_str {
    read(json) { $0.key(member) }.map { routable_str($0) } ?? .empty
}

@_cdecl("routable_json_member") @implementation
public func routable_json_member(_ json: OpaquePointer?, _ object: UInt64, _ name: routable_str) -> UInt64 {
    guard let name = try? name.buffer("name") else { return JSONValues.nowhere }
    return read(json) { $0.member(object, name) } ?? JSONValues.nowhere
}

@_cdecl("routable_json_element") @implementation
public func routable_json_element(_ json: OpaquePointer?, _ array: UInt64, _ index: Int) -> UInt64 {
    read(json) { $0.element(array, index) } ?? JSONValues.nowhere
}

@_cdecl("routable_json_at") @implementation
public func routable_json_at(_ json: OpaquePointer?, _ pointer: routable_str) -> UInt64 {
    guard let pointer = try? pointer.bytes("pointer") else { return JSONValues.nowhere }
    return read(json) { $0.at(pointer) } ?? JSONValues.nowhere
}

@_cdecl("routable_json_boolean") @implementation
public func routable_json_boolean(_ json: OpaquePointer?, _ place: UInt64) -> Int32 {
    read(json) { $0.view(place)?.boolean } == true ? 1 : 0
}

@_cdecl("routable_json_integer") @implementation
public func routable_json_integer(_ json: OpaquePointer?, _ place: UInt64) -> Int64 {
    read(json) { $0.view(place)?.integer } ?? 0
}

@_cdecl("routable_json_number") @implementation
public func routable_json_number(_ json: OpaquePointer?, _ place: UInt64) -> Double {
    read(json) { $0.view(place)?.number } ?? 0
}

@_cdecl("routable_json_string") @implementation
public func routable_json_string(_ json: OpaquePointer?, _ place: UInt64) -> routable_str {
    read(json) { $0.string(place) }.map { routable_str($0) } ?? .empty
}

@_cdecl("routable_json_text") @implementation
public func routable_json_text(_ json: OpaquePointer?, _ place: UInt64) -> routable_str {
    read(json) { $0.view(place)?.source }.map { routable_str($0) } ?? .empty
}

@_cdecl("routable_json_offset") @implementation
public func routable_json_offset(_ json: OpaquePointer?, _ place: UInt64) -> Int64 {
    read(json) { $0.view(place).map { Int64($0.offset) } } ?? -1
}

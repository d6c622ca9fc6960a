// Decodes a response that deviates from its description, as far as its type can hold it.
//
// A service sends null, nothing, or another kind of scalar where its description forbids it.  A model that has an optional member
// there can hold that: as nil.  The response lists the deviation.

internal import Foundation
internal import RoutableCore
internal import RoutableDocuments

enum Repair {
    /// The value, in which each optional member that does not have its type is nil; nil if the type cannot hold the body.
    ///
    /// The place of each error of the decoder becomes null, or else the nearest place that contains it, so models and decoders of
    /// the program behave as ever.
    static func decode<Output: Decodable>(
        _ type: Output.Type, _ body: Text, _ response: Response, _ decoder: JSONDecoder, _ first: any Error
    ) -> Output? {
        if response.deviations.isEmpty { return nil }
        guard var value = try? ValueDocument.read(body.bytes) else { return nil }
        if value.isNull, let none = (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Output { return none }
        var error = first
        for _ in 0..<(2 * Deviation.maximum) {
            guard var place = Answers.context(error)?.codingPath else { return nil }
            while !place.isEmpty && !value.clear(place[...]) { place.removeLast() }
            if place.isEmpty { return nil }
            guard let text = try? ValueDocument.write(value) else { return nil }
            do { return try decoder.decode(type, from: Data(text.storage)) } catch let next { error = next }
        }
        return nil
    }
}

extension RoutableCore.Value {
    /// Sets what is at the place to null.  Returns false if nothing is there, or null already.
    fileprivate mutating func clear(_ place: ArraySlice<any CodingKey>) -> Bool {
        guard let key = place.first else {
            if isNull { return false }
            self = .null
            return true
        }
        switch self {
        case .array(var elements):
            guard let index = key.intValue, elements.indices.contains(index), elements[index].clear(place.dropFirst()) else {
                return false
            }
            self = .array(elements)
        case .object(var members):
            let name = Bytes(key.stringValue)
            guard let index = members.firstIndex(where: { $0.name == name }), members[index].value.clear(place.dropFirst())
            else { return false }
            self = .object(members)
        default: return false
        }
        return true
    }
}

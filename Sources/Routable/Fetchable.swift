// Models that fetch themselves, and responses of unknown form, as in article 004 (docs/statements.md, M).

public import Foundation
public import RoutableCore

/// The decoded body of a response.  The decoder tries the cases in this order.
public enum MappingResult<Model> {
    /// The whole body is one model.
    case asSelf(Model)
    /// The body is an object, and the value of each member is a model.
    case asDictionary([String: Model])
    /// The body is an array of models.
    case asArray([Model])
    /// The bytes as received, after content decoding; empty for 204 and 205.
    case raw(Data)
}

extension MappingResult: Sendable where Model: Sendable {}
extension MappingResult: Equatable where Model: Equatable {}

/// A model that can be fetched.
///
///     struct UserModel: Fetchable, Decodable { ... }
///     UserModel.fetch(Router.getUser(id: 1200)) { result in ... } onError: { error in ... }
///     let result = try await UserModel.fetch(Router.getUser(id: 1200))
public protocol Fetchable: SendableMetatype {
    /// The options for decoding; `strict` by default.
    static var decoding: Decoding { get }
}

extension Fetchable {
    public static var decoding: Decoding { .strict }
}

extension Fetchable where Self: Decodable & Sendable {
    /// Performs the request and decodes the response as one of the cases of ``MappingResult``.
    public static func fetch(
        _ request: some RequestConvertible, over client: Client? = nil
    ) async throws(Failure) -> MappingResult<Self> {
        let performing: Client
        if let client { performing = client } else { performing = try Client.common() }
        return try map(try await performing.response(to: request))
    }

    /// Performs the request and calls exactly one of the closures, once, on the actor on which the closure is written.
    ///
    /// If the task is cancelled, `onError` receives an error.
    @discardableResult
    public static func fetch(
        _ request: some RequestConvertible, over client: Client? = nil,
        @_inheritActorContext onSuccess: @escaping @isolated(any) @Sendable (MappingResult<Self>) -> Void,
        @_inheritActorContext onError: @escaping @isolated(any) @Sendable (Failure) -> Void
    ) -> Task<Void, Never> {
        Task {
            let result: MappingResult<Self>
            do throws(Failure) { result = try await fetch(request, over: client) } catch {
                await onError(error)
                return
            }
            await onSuccess(result)
        }
    }

    /// A synonym of `fetch` with the argument labels of article 004.
    @discardableResult
    public static func fetch(
        with request: some RequestConvertible, over client: Client? = nil,
        @_inheritActorContext onSuccess: @escaping @isolated(any) @Sendable (MappingResult<Self>) -> Void,
        @_inheritActorContext onError: @escaping @isolated(any) @Sendable (Failure) -> Void
    ) -> Task<Void, Never> { fetch(request, over: client, onSuccess: onSuccess, onError: onError) }
}

extension Fetchable where Self: Decodable {
    /// Decodes a response as the first of self, dictionary, array and raw that is valid for the whole body.
    ///
    /// - Throws: `response` for an empty body if the model requires a body.
    public static func map(_ response: Response) throws(Failure) -> MappingResult<Self> {
        let data = Data(response.body.buffer)
        if data.isEmpty {
            if response.status == 204 || response.status == 205 || response.status >= 300 { return .raw(data) }
            throw Failure(.response, "the service responded with \(response.status) and an empty body") {
                $0.httpStatus = response.status
                $0.response = response
            }
        }
        return try Coders(decoder: response.ownDecoder).using { () throws(Failure) in
            if let model = try? decoding.decode(Self.self, from: data) { return .asSelf(model) }
            if let models = try? decoding.decode([String: Self].self, from: data) { return .asDictionary(models) }
            if let models = try? decoding.decode([Self].self, from: data) { return .asArray(models) }
            return .raw(data)
        }
    }

    /// Decodes the body of the response that an error contains, such as a 404 with JSON.
    public static func map(_ failure: Failure) -> MappingResult<Self>? {
        failure.fields.response.flatMap { response in try? map(response) }
    }
}

private struct AnyStatus<Wrapped: RequestConvertible>: RequestConvertible, Placeable {
    let wrapped: Wrapped
    func makeRequest(base: String?) throws(Failure) -> Request { try wrapped.makeRequest(base: base) }
    var requiresCredential: Bool { wrapped.requiresCredential }
    var acceptsEveryStatus: Bool { true }

    func placed(_ home: Home) -> any RequestConvertible {
        guard let placeable = wrapped as? any Placeable else { return self }
        return placeable.placed(home).acceptingEveryStatus
    }
}

extension RequestConvertible {
    /// A copy of the request for which every status is a success, as in article 004.
    public var acceptingEveryStatus: some RequestConvertible { AnyStatus(wrapped: self) }
}

extension Client {
    private static let commonClient = Locked<Client?>(nil)

    /// The client for calls that do not specify one: by default one with an `EngineTransport`, created when it is first needed.
    static func common() throws(Failure) -> Client {
        if let client = commonClient.withLock({ $0 }) { return client }
        let made = try Client()
        return commonClient.withLock { common in
            let kept = common ?? made
            common = kept
            return kept
        }
    }

    /// Sets the client for calls that do not specify one; nil restores the default.
    public static func useForAll(_ client: Client?) { commonClient.withLock { $0 = client } }
}

// Bodies that are not in memory: files and functions, in both directions, with progress (docs/bodies.md).

public import RoutableCore

/// A request with additions that the description does not contain: a body from a file, a file for the response.
public struct ConfiguredRequest<Wrapped: RequestConvertible>: RequestConvertible {
    let wrapped: Wrapped
    let configure: @Sendable (Request) throws(Failure) -> Void

    public var requiresCredential: Bool { wrapped.requiresCredential }
    public var acceptsEveryStatus: Bool { wrapped.acceptsEveryStatus }

    public func makeRequest(base: String?) throws(Failure) -> Request {
        let request = try wrapped.makeRequest(base: base).copy()
        try configure(request)
        return request
    }
}

extension RequestConvertible {
    /// The same request, changed by a function each time that it is made.
    public func configured(_ configure: @escaping @Sendable (Request) throws(Failure) -> Void) -> ConfiguredRequest<Self> {
        ConfiguredRequest(wrapped: self, configure: configure)
    }

    /// Sends a file as the body, which is read while it is sent.  Needs the library's engine, as all below.
    public func uploading(file path: String, contentType: String? = nil) -> ConfiguredRequest<Self> {
        configured { (request) throws(Failure) in
            try request.setBody(file: Bytes(path), contentType: contentType.map { Bytes($0) })
        }
    }

    /// Sends a body that a function gives piece by piece.
    ///
    /// - Parameter source: makes the source of one request: a source is read by one transfer.
    public func uploading(
        contentType: String, _ source: @escaping @Sendable () -> BodySource
    ) -> ConfiguredRequest<Self> {
        configured { (request) throws(Failure) in
            try request.setBody(StreamedBody([.init(source: source())]), contentType: Bytes(contentType))
        }
    }

    /// Writes the body of a success to a file, which appears when it is complete.
    ///
    /// - Parameter resumes: whether the part that an interrupted download left is continued.
    public func downloading(to path: String, resumes: Bool = false) -> ConfiguredRequest<Self> {
        configured { (request) throws(Failure) in request.setTarget(BodyTarget(file: Bytes(path), resumes: resumes)) }
    }

    /// Gives the body of a success to a function piece by piece; false ends the transfer.
    public func receiving(_ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) -> ConfiguredRequest<Self> {
        configured { (request) throws(Failure) in
            request.setTarget(BodyTarget(function: BodyFunction(take: { take($0) ? .all : .failed }, release: nil)))
        }
    }

    /// Reports how far the transfer is; false ends it.
    public func reportingProgress(_ report: @escaping @Sendable (TransferProgress) -> Bool) -> ConfiguredRequest<Self> {
        configured { (request) throws(Failure) in request.setProgress(ProgressFunction(tell: report, release: nil)) }
    }
}

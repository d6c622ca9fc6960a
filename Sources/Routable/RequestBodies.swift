// Bodies that are not in memory: files and functions, in both directions, with progress (docs/bodies.md).

public import Foundation
public import RoutableCore

/// A request with additions that the description does not contain: a body from a file, a file for the response.
private struct ConfiguredRequest<Wrapped: RequestConvertible>: RequestConvertible, Placeable {
    let wrapped: Wrapped
    let configure: @Sendable (Request) throws(Failure) -> Void

    var requiresCredential: Bool { wrapped.requiresCredential }
    var acceptsEveryStatus: Bool { wrapped.acceptsEveryStatus }

    func makeRequest(base: String?) throws(Failure) -> Request {
        let request = try wrapped.makeRequest(base: base).copy()
        try configure(request)
        return request
    }

    func placed(_ home: Home) -> any RequestConvertible {
        guard let placeable = wrapped as? any Placeable else { return self }
        return placeable.placed(home).configured(configure)
    }
}

extension RequestConvertible {
    /// A request that a function modifies each time the request is made.
    public func configured(_ configure: @escaping @Sendable (Request) throws(Failure) -> Void)
        -> some RequestConvertible
    {
        ConfiguredRequest(wrapped: self, configure: configure)
    }

    /// Sends a file as the body.  `EngineTransport` reads the file while it sends the request; other transports read it before.
    public func uploading(file path: String, contentType: String? = nil) -> some RequestConvertible {
        configured { (request) throws(Failure) in
            try request.setBody(file: Bytes(path), contentType: contentType.map { Bytes($0) })
        }
    }

    /// Sends a file as the body, like `uploading(file:contentType:)` with a path.
    ///
    /// - Parameter url: a file URL; otherwise the request fails with `argument`.
    public func uploading(file url: URL, contentType: String? = nil) -> some RequestConvertible {
        configured { (request) throws(Failure) in
            try request.setBody(file: try url.filePath, contentType: contentType.map { Bytes($0) })
        }
    }

    /// Sends bytes, such as `Data` or `[UInt8]`, as the body, unchanged.
    public func uploading(
        _ bytes: some Sequence<UInt8> & Sendable, contentType: String = "application/octet-stream"
    ) -> some RequestConvertible {
        configured { (request) throws(Failure) in try request.setBody(Bytes([UInt8](bytes)), contentType: Bytes(contentType)) }
    }

    /// Sends a body that a function returns piece by piece.
    ///
    /// - Parameter source: returns the source for one request.  Only one transfer may read a source.
    public func uploading(
        contentType: String, _ source: @escaping @Sendable () -> BodySource
    ) -> some RequestConvertible {
        configured { (request) throws(Failure) in
            try request.setBody(StreamedBody([.init(source: source())]), contentType: Bytes(contentType))
        }
    }

    /// Writes the body of a successful response to a file, which is created when the body is complete.
    ///
    /// - Parameter resumes: whether to continue an interrupted download.
    public func downloading(to path: String, resumes: Bool = false) -> some RequestConvertible {
        configured { (request) throws(Failure) in request.setTarget(BodyTarget(file: Bytes(path), resumes: resumes)) }
    }

    /// Writes the body of a successful response to a file, like `downloading(to:resumes:)` with a path.
    ///
    /// - Parameter url: a file URL; otherwise the request fails with `argument`.
    public func downloading(to url: URL, resumes: Bool = false) -> some RequestConvertible {
        configured { (request) throws(Failure) in
            request.setTarget(BodyTarget(file: try url.filePath, resumes: resumes))
        }
    }

    /// Passes the body of a successful response to a function, piece by piece.  If the function returns false, the transfer
    /// fails with `callback`.
    public func receiving(_ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) -> some RequestConvertible {
        configured { (request) throws(Failure) in
            request.setTarget(BodyTarget(function: BodyFunction(take: { take($0) ? .all : .failed }, release: nil)))
        }
    }

    /// Reports the progress of the transfer to a function, on the actor in whose code the function is written, such as the
    /// MainActor of a view model.
    ///
    /// The function is called before the outcome of the request arrives, and not afterwards.  If it is slower than the transfer,
    /// it receives only the newest progress.  To end the transfer, cancel the task of the request.
    public func reportingProgress(
        @_inheritActorContext _ report: @escaping @isolated(any) @Sendable (TransferProgress) -> Void
    ) -> some RequestConvertible {
        configured { (request) throws(Failure) in
            let delivery = Delivery(.newest, to: report)
            request.setProgress(
                ProgressFunction(owner: delivery) { progress in
                    delivery.add(progress)
                    return true
                })
        }
    }
}

extension URL {
    /// - Throws: `argument` for a URL that is not a file URL.
    var filePath: Bytes {
        get throws(Failure) {
            guard isFileURL else { throw Failure(.argument, "a file URL is expected, not \(Bytes(absoluteString).printable)") }
            return Bytes(path)
        }
    }
}

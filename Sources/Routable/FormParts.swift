// Multipart bodies: fields and files, from memory, from files and from functions (docs/bodies.md).

public import Foundation
public import RoutableCore

extension Client {
    /// A part of a multipart body.
    public struct FormPart: Sendable {
        let make: @Sendable () throws(Failure) -> Multipart.Part

        /// A field with a string as its value.
        public static func field(_ name: String, _ value: String) -> FormPart {
            FormPart { () throws(Failure) in Multipart.Part(name: Bytes(name), content: .init(memory: Bytes(value))) }
        }

        /// A file of the system, which is read while it is sent.  By default the path determines its filename and content type.
        public static func file(_ name: String, path: String, filename: String? = nil, contentType: String? = nil)
            -> FormPart
        {
            let last = filename ?? URL(fileURLWithPath: path).lastPathComponent
            return FormPart { () throws(Failure) in part(name, .init(file: Bytes(path)), last, contentType) }
        }

        /// A file of the system, like `file(_:path:filename:contentType:)`.
        ///
        /// - Parameter url: a file URL; otherwise the request fails with `argument`.
        public static func file(_ name: String, at url: URL, filename: String? = nil, contentType: String? = nil) -> FormPart {
            let last = filename ?? url.lastPathComponent
            return FormPart { () throws(Failure) in part(name, .init(file: try url.filePath), last, contentType) }
        }

        /// A file whose content is in memory.
        public static func data(
            _ name: String, _ bytes: some Sequence<UInt8>, filename: String, contentType: String? = nil
        ) -> FormPart {
            let content = Bytes(Array(bytes))
            return FormPart { () throws(Failure) in part(name, .init(memory: content), filename, contentType) }
        }

        /// A file that a function returns piece by piece.
        ///
        /// - Parameter source: returns the source for one request.  Only one transfer may read a source.
        public static func stream(
            _ name: String, filename: String, contentType: String? = nil, _ source: @escaping @Sendable () -> BodySource
        ) -> FormPart {
            FormPart { () throws(Failure) in part(name, .init(source: source()), filename, contentType) }
        }

        private static func part(
            _ name: String, _ content: StreamedBody.Piece, _ filename: String, _ contentType: String?
        ) -> Multipart.Part {
            Multipart.Part(
                name: Bytes(name), content: content, filename: Bytes(filename),
                contentType: contentType.map { Bytes($0) } ?? MediaType.of(file: Bytes(filename)))
        }
    }
}

extension RequestConvertible {
    /// Sends parts as a multipart form.  Files and functions are read while the body is sent.
    ///
    ///     client.response(to: Shop.photo.create().uploading([.field("title", "Tea"), .file("photo", path: "tea.jpg")]))
    public func uploading(_ parts: [Client.FormPart]) -> some RequestConvertible {
        configured { (request) throws(Failure) in
            var form = Multipart()
            for part in parts { try form.append(try part.make()) }
            try request.setBody(try form.written())
        }
    }
}

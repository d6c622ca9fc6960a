// Reads the files that the references of a document lead to: those below one folder.

internal import CSystem
internal import RoutableCore

/// An open folder.  Paths and symbolic links that leave it are refused, and nothing is read over the network.
final class DocumentFolder {
    private let descriptor: Int32
    /// The path of the document below the folder.
    let document: Bytes
    /// The path of the folder as given by the caller, with a trailing slash; empty for the current folder.
    let prefix: Bytes

    private init(_ descriptor: Int32, document: Bytes, prefix: Bytes) {
        self.descriptor = descriptor
        self.document = document
        self.prefix = prefix
    }

    /// This is a function and not an `init`, because in Embedded Swift an object whose `init` throws is not deallocated.
    ///
    /// - Throws: `file`; `argument` if the document is not in `folder`.
    static func open(of path: Bytes, folder: Bytes?) throws(Failure) -> DocumentFolder {
        var descriptor: Int32 = -1
        var relative = Bytes()
        let capacity = 4096
        let result: Int32 = Text(path).withPointer { path in
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
            defer { buffer.deallocate() }
            buffer[0] = 0
            let result: Int32
            if let folder {
                result = Text(folder).withPointer { csystem_folder_open(path, $0, buffer, capacity, &descriptor) }
            } else {
                result = csystem_folder_open(path, nil, buffer, capacity, &descriptor)
            }
            relative = Bytes(cString: buffer)
            return result
        }
        if result == EXDEV {
            throw Failure(.argument, "the document is not in the folder \"\((folder ?? Bytes()).printable)\"")
        }
        if result != 0 { throw Failure(.file, "\(path.printable): \(Self.reason(result))") }
        let prefix: Bytes
        if let folder {
            prefix = folder.hasSuffix("/") ? folder : "\(folder)/"
        } else if let slash = path.storage.lastIndex(of: UInt8(ascii: "/")) {
            prefix = Bytes(path.storage[...slash])
        } else {
            prefix = Bytes()
        }
        return DocumentFolder(descriptor, document: relative, prefix: prefix)
    }

    deinit { csystem_close(descriptor) }

    static func reason(_ code: Int32) -> Bytes {
        Bytes(
            [UInt8](unsafeUninitializedCapacity: 128) { buffer, length in
                length =
                    buffer.baseAddress.map {
                        csystem_error_text(code, UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self), 128)
                    } ?? 0
            })
    }

    /// The bytes of a file; nil if it does not exist.
    ///
    /// - Throws: `document` for a path that leaves the folder, `limit`, `memory`, `file`.
    func read(_ relative: Bytes, limit: Int) throws(Failure) -> Bytes? {
        if relative.storage.contains(0) { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let result: Int32 = Text(relative).withPointer { csystem_folder_read(descriptor, $0, limit, &bytes, &count) }
        switch result {
        case 0: break
        case ENOENT, ENOTDIR, ENAMETOOLONG: return nil
        case EXDEV:
            throw Failure(.document, "\"\(relative.printable)\" leaves the folder of the document by a symbolic link")
        case EFBIG: throw Failure(.limit, "the files of the document have more than the maximum number of bytes")
        case ENOMEM: throw Memory.fail()
        case EINVAL: throw Failure(.file, "\"\(relative.printable)\" is not a regular file")
        default: throw Failure(.file, "\"\(relative.printable)\": \(Self.reason(result))")
        }
        defer { csystem_free(bytes) }
        return Bytes(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

extension Text {
    fileprivate func withPointer<Result>(_ use: (UnsafePointer<CChar>) -> Result) -> Result {
        defer { withExtendedLifetime(self) {} }
        return use(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
    }
}

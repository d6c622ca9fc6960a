// The one error type of the library.

/// The failure of a call: the reason, the position, and the allowed names.
public struct Failure: Error, Sendable {
    /// The parts of a failure; those that do not apply stay empty.
    public struct Fields: Sendable {
        /// The reason.
        public var status: Status
        /// One sentence without a secret.
        public var message: Bytes
        /// JSON pointer (RFC 6901) into the JSON that was passed in or received.
        public var pointer: Bytes?
        /// JSON pointer to the keyword of the schema that rejected the value.
        public var schemaPointer: Bytes?
        /// Byte offset in the JSON that was passed in, with line and column from 1.
        public var offset: Int?
        /// The line in the document, from 1; 0 for none.
        public var line = 0
        /// The column in the document, in bytes, from 1; 0 for none.
        public var column = 0
        /// The dotted route; empty for none.
        public var route = Bytes()
        /// The name of the operation; empty for none.
        public var operation = Bytes()
        /// The name of the parameter; empty for none.
        public var parameter = Bytes()
        /// The allowed names, sorted by their bytes.
        public var allowed: [Bytes] = []
        /// The allowed name that is nearest to the given one; empty for none.
        public var suggestion = Bytes()
        /// The HTTP status of the response; 0 for none.
        public var httpStatus: Int32 = 0
        /// For a request without a required credential: the value of WWW-Authenticate; empty for none.
        package var challenge = Bytes()
        /// The CURLcode of the transfer; 0 for none.
        public var curlCode: Int32 = 0
        /// Whether the message already names the file.
        package var isInFile = false
        /// The next failure, if several were found.
        public var next: Failure?
        /// The response of a request that failed after it.  Requests are defined in a higher layer of this module, so only
        /// Request/Failure+answer.swift knows the type of this object.
        var answer: (AnyObject & Sendable)?

        init(status: Status, message: Bytes) {
            self.status = status
            self.message = message
        }
    }

    // One word in size, so that throwing costs nothing in the callers of callers.
    private final class Box: Sendable {
        let fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }

    // The changes to the fields are passed by reference: the optimiser would otherwise copy the callers for each closure.
    private final class Change {
        private let change: (inout Fields) -> Void
        init(_ change: @escaping (inout Fields) -> Void) { self.change = change }
        @inline(never) func apply(_ fields: inout Fields) { change(&fields) }
    }

    private static func apply(_ change: (inout Fields) -> Void, to fields: inout Fields) {
        #if hasFeature(Embedded)
        withoutActuallyEscaping(change) { Change($0).apply(&fields) }
        #else
        // The run-time check of non-escaping closures would put the path of this file into the library, which then differs by folder.
        change(&fields)
        #endif
    }

    private let box: Box

    /// All fields of the failure.
    public var fields: Fields { @inline(never) get { box.fields } }
    /// The reason.
    public var status: Status { box.fields.status }
    /// One sentence, without secrets.
    public var message: Bytes { box.fields.message }

    // Never inlined, here and below: failures are not on hot paths, and are made at hundreds of places.
    /// Whether the message already names the file.
    package var isInFile: Bool { box.fields.isInFile }
    /// A failure with a reason and a sentence.
    @inline(never) public init(_ status: Status, _ message: Bytes) { box = Box(Fields(status: status, message: message)) }

    /// A failure with further fields.
    @inline(never) public init(_ status: Status, _ message: Bytes, _ complete: (inout Fields) -> Void) {
        var fields = Fields(status: status, message: message)
        Self.apply(complete, to: &fields)
        box = Box(fields)
    }

    private init(fields: Fields) { box = Box(fields) }

    /// A copy of the failure with changed fields.
    @inline(never) public func with(_ change: (inout Fields) -> Void) -> Failure {
        var fields = box.fields
        Self.apply(change, to: &fields)
        return Failure(fields: fields)
    }

    /// A copy of the failure with this pointer, unless the failure already has a pointer.
    @inline(never) public func at(_ pointer: Bytes) -> Failure {
        box.fields.pointer == nil ? with { $0.pointer = pointer } : self
    }

    /// A copy of the failure with this route and operation, unless the failure already has them.
    @inline(never) public func about(route: Bytes, operation: Bytes) -> Failure {
        with {
            if $0.route.isEmpty { $0.route = route }
            if $0.operation.isEmpty { $0.operation = operation }
        }
    }

    /// The failure for an unknown name, with the known names and the nearest one.
    @inline(never) public static func unknownName(
        _ status: Status, _ subject: Bytes, _ name: Bytes, among known: [Bytes]
    ) -> Failure {
        let allowed = known.ordered()
        let suggestion = NearestName.find(name, among: allowed)
        var message: Bytes = "\(subject) \"\(name.printable)\""
        if let suggestion {
            message.append("; did you mean \"\(suggestion.printable)\"?")
        } else if allowed.isEmpty {
            message.append("; there are none")
        } else if allowed.count <= 24 {
            message.append("; there are: \(allowed)")
        }
        return Failure(status, message) {
            $0.allowed = allowed
            $0.suggestion = suggestion ?? Bytes()
        }
    }
}

extension Bytes {
    /// The bytes for a message: at most about 80 bytes, cut between characters, with control bytes as `?`.
    @inline(never) public var printable: Bytes {
        var result: [UInt8] = []
        var isCut = false
        for byte in storage {
            if result.count >= 80 && byte & 0xC0 != 0x80 {
                isCut = true
                break
            }
            if result.count >= 96 {
                isCut = true
                break
            }
            result.append(ASCII.isControl(byte) ? UInt8(ascii: "?") : byte)
        }
        if isCut { result.append(contentsOf: [0x2E, 0x2E, 0x2E]) }
        if !UTF8Check.isValid(result) { result = result.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") } }
        return Bytes(result)
    }
}

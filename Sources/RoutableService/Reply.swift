// The response of a service: the content that a program provides, and the response that is sent.
//
// `Received.reply` validates the content against the description and makes the response (Reply+make.swift); `Reply.refusing` and
// `Reply.problem` make problem documents (Reply+problem.swift).  `Reply.next` reads any body in pieces
// (Reply+pieces.swift).

package import RoutableCore

/// The body that a program provides for a response.
package enum ReplyContent {
    /// No body.
    case none
    /// The text of one JSON value.
    case json(Bytes)
    /// Bytes that are sent unchanged.
    case bytes(Bytes)
    /// A regular file, by its path.
    case file(Bytes)
    /// The rest of an open regular file, which the library does not close.
    case descriptor(Int32)
    /// Items that are produced while the response is sent.
    case items(ReplyItems)
}

/// Items that a program provides one at a time: the values of JSON Lines, or server-sent events.
package final class ReplyItems {
    package enum Kind { case lines, events }

    /// One item.
    package struct Item {
        /// The JSON of a line; the data of an event.
        package var data: Bytes
        /// The type of an event; empty for none.
        package var event: Bytes
        /// The id of an event; empty for none.
        package var id: Bytes

        package init(data: Bytes, event: Bytes = Bytes(), id: Bytes = Bytes()) {
            self.data = data
            self.event = event
            self.id = id
        }
    }

    package enum Next {
        case item(Item)
        /// There is no item yet.
        case later
        case end
        case failed(Failure)
    }

    package let kind: Kind
    let provide: () -> Next
    private let release: (() -> Void)?

    package init(_ kind: Kind, next: @escaping () -> Next, release: (() -> Void)? = nil) {
        self.kind = kind
        provide = next
        self.release = release
    }

    deinit { release?() }
}

/// The value of the header Location.
package enum ReplyLocation {
    /// A URL that is sent unchanged.
    case url(Bytes)
    /// The path of the request of this call.
    case call(route: Bytes, operation: Bytes, ids: Call.Ids)
}

/// The options of a program for a response, besides the status and the body.
package struct ReplyOptions {
    package var headers: [HeaderField] = []
    /// nil for the declared media type that the request prefers.
    package var contentType: Bytes?
    /// The ETag of the resource; nil for none.
    package var etag: Bytes?
    package var location: ReplyLocation?
    package var maximumErrors = 16
    /// Whether a body is sent although its type does not accept it; used by mocks.
    package var isUnchecked = false

    package init() {}
}

/// A response: its status, its headers and its body.  Only one thread at a time may read its body.
package final class Reply {
    package let status: Int32
    package let headers: HeaderBlock
    /// The body, if it is in memory.
    package let body: Text
    /// The number of bytes to send; nil for items.
    package let length: Int64?
    /// The descriptor of a body that is a file; -1 for any other body.
    package let descriptor: Int32
    /// Whether the descriptor is closed with the response.
    private let ownsDescriptor: Bool
    let items: ReplyItems?

    /// Whether `next` has reached the end of the body.
    var isRead = false
    /// The remaining range of a file.
    var rest: Range<Int64>
    var piece = Text.empty
    /// An item that was provided but not yet written, because memory could not be allocated.
    var pending: ReplyItems.Item?

    init(
        status: Int32, headers: HeaderBlock, body: Text = .empty, length: Int64?, file: ReplyFile? = nil,
        items: ReplyItems? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.length = length
        self.items = items
        descriptor = file?.take() ?? -1
        ownsDescriptor = file?.isOwned ?? false
        let start = file?.start ?? 0
        rest = start..<(start &+ max(file?.length ?? 0, 0))
    }

    deinit { if ownsDescriptor { ReplyFile.close(descriptor) } }
}

/// A piece of the body of a response.
package enum ReplyPiece {
    /// Bytes that are valid until the next piece is read.
    case bytes(Text)
    /// There is no item yet.
    case later
    case end
}

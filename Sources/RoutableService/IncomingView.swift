// A request in the memory of the host, valid during a call.

package import RoutableCore

/// A header field in the memory of the host: the layout of `routable_header`.
package struct HeaderView {
    package var name: UnsafeRawPointer?
    package var nameCount: Int
    package var value: UnsafeRawPointer?
    package var valueCount: Int
}

/// A borrowed request.  Pointers with a count above 0 are not nil.
package struct IncomingView {
    package var method: UnsafePointer<CChar>
    package var target: UnsafeRawBufferPointer
    package var headers: UnsafeBufferPointer<HeaderView>
    package var body: UnsafeRawBufferPointer

    package init(
        method: UnsafePointer<CChar>, target: UnsafeRawBufferPointer, headers: UnsafeBufferPointer<HeaderView>,
        body: UnsafeRawBufferPointer
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// A value of a request with its location and its name, in memory that is valid until the next request is read.
package struct ReceivedView {
    package enum Kind: UInt8 { case null, boolean, integer, real, text, json }

    package var location: ParameterLocation
    package var kind = Kind.null
    package var integer: Int64 = 0
    package var real = 0.0
    package var name: UnsafeRawBufferPointer
    /// The string, or the JSON of an array, an object or a number.  It is followed by a NUL.
    package var text = Text.empty.buffer

    init(_ location: ParameterLocation, _ name: UnsafeRawBufferPointer) {
        self.location = location
        self.name = name
    }
}

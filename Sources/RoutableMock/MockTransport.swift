// A mock as the transport of a client.

package import RoutableCore
package import RoutablePerform
internal import RoutableService

extension Mock {
    /// The transport for a client.
    package var transport: HostTransport {
        HostTransport { exchange in try? self.answer(exchange) }  // the exchange records the failure
    }

    /// Replies to an attempt of a request, or to a token request of OAuth 2, which matches no operation of the description.
    ///
    /// - Throws: the failure with which the exchange refuses the reply; the exchange has then failed.
    package func answer(_ exchange: TransportExchange) throws(Failure) {
        let body = exchange.body?.bytes ?? Bytes()
        var reply: TransportReply
        if exchange.plan == nil && body.contains("grant_type=") {
            reply = TransportReply()
            reply.body = Text(
                "{\"access_token\":\"mock\",\"token_type\":\"bearer\",\"expires_in\":3600,\"refresh_token\":\"mock\"}")
            reply.headers = [HeaderField("Content-Type", "application/json")]
            try exchange.reply(reply)
            return
        }
        do throws(Failure) {
            let response = try respond(
                Incoming(
                    method: exchange.method.bytes, target: exchange.url.bytes, headers: exchange.headers.fields, body: body))
            reply = TransportReply()
            reply.status = response.reply.status
            reply.headers = response.reply.headers.fields
            reply.body = response.reply.body
            reply.curlCode = response.curlCode
            reply.delayMilliseconds = response.delayMilliseconds
        } catch {
            reply = TransportReply(error)
        }
        try exchange.reply(reply)
    }
}

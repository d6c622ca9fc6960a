// The failure of a transfer without a response, with its remedy.  It contains the host and the port, but never a path, a query or a
// header.

internal import CSystem
import RoutableCore

/// The facts about a transfer without a response.
struct TransferFailure {
    var fault: TransferState.Fault
    var origin: Bytes
    var options: ClientOptions
    var deadlineMilliseconds: Int64
    var maximumBodyBytes: Int
    var maximumRedirects: Int
    var wasConnected = false
    var received = 0
    /// The error text of libcurl.
    var detail = Bytes()
    var stallMilliseconds: Int64 = 0
    var hasDescriptors = true

    var failure: Failure {
        switch fault {
        case .curl(let code): return failure(ofCurl: code)
        case .bodyTooLarge:
            return Failure(
                .limit,
                "the response of \(origin) is over \(maximumBodyBytes) bytes; raise the client's limit"
            )
        case .headTooLarge:
            return Failure(.limit, "the headers of \(origin)'s response are over \(ClientOptions.headBytes) bytes")
        case .unclearLength:
            return Failure(.transfer, "\(origin) sent a response with contradictory or invalid lengths")
        case .noAnswer: return Failure(.transfer, "\(origin) closed the connection before the response headers were complete")
        case .notHTTP: return Failure(.transfer, "\(origin) did not respond with HTTP; check the scheme and the port")
        case .tooManyRedirects:
            return Failure(
                .transfer, "more than \(maximumRedirects) redirects, the last by \(origin); they may form a cycle"
            ) { $0.curlCode = 47 }
        case .redirectRefused:
            return Failure(
                .transfer, "\(origin) redirects to a scheme other than http or https, or to a URL with credentials")
        case .redirectInsecure:
            return Failure(.transfer, "\(origin) redirects from https to http, which the client does not allow")
        case .bodySpent:
            return Failure(.body, "\(origin) redirected the request, but its body cannot be read a second time")
        case .disorder: return Failure(.internal, "the events of a transfer came in an impossible order")
        }
    }

    private func failure(ofCurl code: Int32) -> Failure {
        if !hasDescriptors {
            return Failure(
                .limit, "the process has no file descriptors left for a connection to \(origin); close some, or raise the limit"
            ) {
                $0.curlCode = code
            }
        }
        let (status, sentence) = reading(of: code)
        let message: Bytes = detail.isEmpty ? sentence : "\(sentence) (libcurl: \(detail))"
        return Failure(status, message) { $0.curlCode = code }
    }

    /// The CURLcodes as numbers, which libcurl never changes.
    private func reading(of code: Int32) -> (Status, Bytes) {
        switch code {
        case 28: return (.timeout, timeout)
        case 3, 43: return (.url, "libcurl rejects the URL for \(origin)")
        case 5: return (.transfer, "the proxy's host is not known; check the proxy variables of the environment")
        case 6: return (.transfer, "the host of \(origin) is not known; check its name and the network")
        case 7:
            guard let socket = options.unixSocket else {
                return (.transfer, "\(origin) cannot be reached; is the service running?")
            }
            let name = socket.printable
            return (.transfer, "the socket \(name) cannot be reached; is the service running, and is the path correct?")
        case 1, 8: return (.transfer, "\(origin) did not respond with HTTP; check the scheme and the port")
        case 18: return (.transfer, "the response of \(origin) ended early, after \(received) bytes of its body")
        case 52: return (.transfer, "\(origin) closed the connection without a response")
        case 61: return (.transfer, "the response of \(origin) is not in the content encoding that it states")
        case 60, 83, 91: return (.tls, certificate)
        case 77: return (.tls, "the trusted certificates cannot be read; check the client's CA file")
        case 35, 53, 54, 58, 59, 64, 66, 80, 82, 90, 98:
            return (.tls, "the TLS handshake with \(origin) failed")
        case 65: return (.transfer, "the connection to \(origin) was lost, and the request body cannot be read a second time")
        case 27: return (.memory, "libcurl has no memory left")
        default: return (.transfer, "the transfer with \(origin) failed")
        }
    }

    /// The problem of a certificate: the strings of OpenSSL, GnuTLS and libcurl for the causes with different remedies.
    private var certificate: Bytes {
        if says("subject name") || says("mismatch") || says("does not match") {
            return "the certificate of \(origin) is for another host; use the host name that it states"
        }
        if says("expired") || says("not yet valid") {
            return "the certificate of \(origin) is not valid at this time; check it, and the clock"
        }
        if let file = options.caFile {
            return "no certificate in the CA file \(file.printable) signed the certificate of \(origin)"
        }
        return "the certificate of \(origin) is not trusted; set a CA file if it should be"
    }

    private func says(_ words: StaticString) -> Bool {
        detail.storage.withUnsafeBytes { text in
            let count = words.bytes.count
            var index = 0
            while index &+ count <= text.count {
                if UnsafeRawBufferPointer(rebasing: text[index..<(index &+ count)]).equals(words) { return true }
                index &+= 1
            }
            return false
        }
    }

    private var timeout: Bytes {
        if stallMilliseconds > 0, detail.hasPrefix("Operation too slow") {
            return
                "no byte was sent to or received from \(origin) for \(Int(truncatingIfNeeded: (stallMilliseconds &+ 999) / 1000)) s; \(received) bytes of the body had arrived"
        }
        let deadline = deadlineMilliseconds < 0 ? Int64.max : deadlineMilliseconds
        if wasConnected {
            let wait = Int(truncatingIfNeeded: deadline)
            return "no complete response from \(origin) within \(wait) ms; \(received) bytes of the body had arrived"
        }
        let wait = Int(truncatingIfNeeded: min(options.connectTimeoutMilliseconds, deadline))
        return "no connection to \(origin) within \(wait) ms; is it up, and can it be reached?"
    }
}

extension Failure {
    /// A transfer requires 20 KB of stack with libcurl and OpenSSL; other TLS libraries may require more.
    @inline(never) static func checkStack() throws(Failure) {
        let left = csystem_stack_left()
        if left < 40960 {
            throw Failure(
                .limit, "a transfer needs 40960 bytes of stack, and this thread has \(left) left; use a thread with more")
        }
    }
}

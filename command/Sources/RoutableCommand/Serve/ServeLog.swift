// The output of `routable serve`: the base URL, and one line for each request.

import CServe
import Glibc
import RoutableCore
import RoutableJSON
import RoutableMock
import RoutableService
import Synchronization

/// Writes lines to standard output.  A slow reader does not delay requests.
final class ServeLog: @unchecked Sendable {
    private let lines: OpaquePointer?
    private let isJSON: Bool
    private let terminal = Terminal.output
    private let hasSaid = Atomic<Bool>(false)

    init(json: Bool) throws(Failure) {
        guard let lines = cserve_lines_new(STDOUT_FILENO) else { throw Failure(.memory, "no memory for the output") }
        if json { cserve_lines_set_json(lines) }
        self.lines = lines
        isJSON = json
    }

    func base(_ url: Bytes) {
        guard isJSON else { return write("\(url)\n") }
        var writer = JSONWriter()
        writer.open("{")
        writer.key("base")
        writer.string(url)
        writer.close("}")
        write("\(writer.text)\n")
    }

    /// - Parameter cut: the fault instead of a response; nil for a response.
    func request(_ incoming: Incoming, _ response: MockResponse, cut: Bytes?, _ elapsed: Duration) {
        let microseconds = elapsed.components.seconds * 1_000_000 + elapsed.components.attoseconds / 1_000_000_000_000
        if isJSON { return write(json(incoming, response, cut, microseconds)) }
        let status = response.reply.status
        var label: Bytes = response.route.isEmpty ? response.operation : "\(response.route).\(response.operation)"
        if response.operation.isEmpty { label = "\(incoming.method) \(incoming.target)" }
        // The target of a request can contain any byte above the space.
        label = Terminal.harmless(label)
        let style: Terminal.Style =
            cut != nil ? .magenta : status < 300 ? .green : status < 400 ? .cyan : status < 500 ? .yellow : .red
        let tenths = (microseconds + 50) / 100
        let time: Bytes = tenths < 100 ? "\(Int(tenths / 10)).\(Int(tenths % 10)) ms" : "\(Int((microseconds + 500) / 1000)) ms"
        write("\(terminal.styled(cut ?? "\(status)", style)) \(label)  \(terminal.styled(time, .dim))\n")
    }

    private func json(_ incoming: Incoming, _ response: MockResponse, _ cut: Bytes?, _ microseconds: Int64) -> Bytes {
        var writer = JSONWriter()
        writer.open("{")
        if let cut {
            writer.key("fault")
            writer.string(cut)
        } else {
            writer.key("status")
            writer.integer(Int64(response.reply.status))
        }
        if !response.operation.isEmpty {
            if !response.route.isEmpty {
                writer.key("route")
                writer.string(response.route)
            }
            writer.key("operation")
            writer.string(response.operation)
        }
        for (name, text) in [("method", incoming.method), ("target", incoming.target)] as [(StaticString, Bytes)] {
            writer.key(name)
            writer.string(UTF8Check.isValid(text) ? text : Bytes(String(decoding: text.storage, as: UTF8.self)))
        }
        writer.key("ms")
        _ = writer.real(Double(microseconds) / 1000)
        writer.close("}")
        return "\(writer.text)\n"
    }

    /// Writes the first failure of the server to standard error; further ones are not written, because a slow reader would delay requests.
    func say(_ failure: Failure) {
        if hasSaid.exchange(true, ordering: .relaxed) { return }
        Output.say("routable: \(Terminal.remarks.shown(failure.message)); further failures are only responses\n")
    }

    func write(_ text: Bytes) {
        guard let lines else { return }
        text.withView { cserve_lines_write(lines, $0) }
    }

    /// Writes the remaining lines and the coverage.
    func end(_ coverage: LateCoverage) {
        if let lines { cserve_lines_end(lines, 300) }
        let text: Bytes
        do throws(Failure) {
            let coverage = try coverage.get()
            text = isJSON ? "{\"coverage\":\(try coverage.json())}\n" : "\n\(try coverage.text(missing: false))"
        } catch { return Output.say("routable: no coverage: \(Terminal.remarks.shown(error.message))\n") }
        try? Output.write(text)  // the reader may have closed the pipe
    }
}

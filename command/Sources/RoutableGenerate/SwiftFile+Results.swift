// Writes the responses of an operation as an enum, with a case for each declared status and one for all others.

extension SwiftFile {
    mutating func writeResult(_ action: Action, of owner: String) {
        var cases: [(plan: StatusPlan, name: String)] = []
        for plan in action.statuses {
            var name = Self.caseName(plan)
            if cases.contains(where: { $0.name == name }) { name += "n\(cases.count)" }
            cases.append((plan, name))
        }
        if cases.isEmpty { return }
        // The narrowest range comes first: 404 before 4XX before the other statuses.
        let sorted = cases.sorted {
            ($0.plan.highest - $0.plan.lowest, $0.plan.lowest) < ($1.plan.highest - $1.plan.lowest, $1.plan.lowest)
        }
        let name = scope.claim(
            Naming.identifier("\(owner) \(action.name) result", .pascal), separator: "", for: "the responses of \(action.name)",
            &renamings)
        code.line()
        comment("The response of \(action.name), by status.", indent: "    ")
        code.line("    public enum \(name): StatusResult {")
        for each in sorted {
            let values = (each.plan.isRange ? ["status: Int"] : []) + (payload(each.plan).map { [$0.type] } ?? [])
            code.line("        case \(each.name)\(values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")")
        }
        code.lines([
            "        /// A status that the description does not declare.", "        case undocumented(APIResponse)", "",
        ])
        code.lines(["        public init(_ response: APIResponse) throws(Failure) {", "            switch response.status {"])
        for each in sorted {
            let pattern = each.plan.isRange ? "\(each.plan.lowest)...\(each.plan.highest)" : "\(each.plan.lowest)"
            let values =
                (each.plan.isRange ? ["status: Int(response.status)"] : []) + (payload(each.plan).map { [$0.value] } ?? [])
            code.line(
                "            case \(pattern): self = .\(each.name)\(values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")"
            )
        }
        code.lines(["            default: self = .undocumented(response)", "            }", "        }", "    }"])
    }

    /// The associated value of a case, and the expression that makes it from `response`.
    private mutating func payload(_ plan: StatusPlan) -> (type: String, value: String)? {
        switch plan.payload {
        case .typed(let type)?:
            let text = text(type)
            let metatype = type.isNullable ? "(\(text)).self" : "\(text).self"
            return (text, "try response.decoded(as: \(metatype))")
        case .text?: return ("String", "response.body.bytes.string")
        case .bytes?: return ("APIResponse", "response")
        case nil: return nil
        }
    }

    private static func caseName(_ plan: StatusPlan) -> String {
        if !plan.isRange { return "s\(plan.lowest)" }
        return plan.highest - plan.lowest == 99 ? "s\(plan.lowest / 100)xx" : "other"
    }
}

extension StatusPlan {
    fileprivate var isRange: Bool { highest > lowest }
}

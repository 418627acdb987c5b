// Loads that rise and fall: their stages, and what these come to together.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    /// `start_rate` and `stages` of an open load.
    func arrivalRamp(_ fields: [String: SourceNode], _ path: String) -> ArrivalRamp? {
        let startRate = fields["start_rate"].map { rateOfRamp($0, "\(path).start_rate") } ?? 0
        guard let node = fields["stages"], let read = stages(node, "\(path).stages", rateOfRamp), let startRate else {
            return nil
        }
        let stages = read.map { ArrivalRamp.Stage(over: $0.over, to: $0.to) }
        let ramp = ArrivalRamp(startRate: startRate, stages: stages)
        guard ramp.arrivals > 0 else {
            report(
                node.position, "at these rates nothing ever arrives in \(path)",
                hint: "give start_rate or a stage that takes time a rate above 0/s")
            return nil
        }
        guard ramp.arrivals <= ScenarioLimits.arrivalsMax else {
            reportTooMany(arrivals: ramp.arrivals, node.position, path)
            return nil
        }
        return ramp
    }

    /// `start_users` and `stages` of a closed load.
    func userRamp(_ fields: [String: SourceNode], _ path: String) -> UserRamp? {
        let users = 0...Int64(ScenarioLimits.usersMax)
        let startUsers = fields["start_users"].map { count($0, "\(path).start_users", in: users) } ?? 0
        guard let node = fields["stages"],
            let read = stages(node, "\(path).stages", { self.count($0, $1, in: users) }), let startUsers
        else { return nil }
        let ramp = UserRamp(startUsers: startUsers, stages: read.map { UserRamp.Stage(over: $0.over, to: $0.to) })
        guard ramp.peak > 0, !ramp.windows(of: 0, among: ramp.peak).isEmpty else {
            report(
                node.position, "with these stages \(path) never has a user",
                hint: "give start_users or a stage that takes time a number above 0")
            return nil
        }
        return ramp
    }

    func reportTooMany(arrivals: Int, _ position: SourcePosition, _ path: String) {
        let limit = ValueParser.grouped(ScenarioLimits.arrivalsMax)
        report(position, "\(arrivals) arrivals in \(path) are too many", hint: "at most \(limit)")
    }

    private func rateOfRamp(_ node: SourceNode, _ path: String) -> Int64? {
        value(node, path, as: "a rate", ValueParser.rateOfRamp)
    }

    /// All stages, or nil with what is wrong reported. One that takes no time is a jump.
    private func stages<Level>(
        _ node: SourceNode, _ path: String, _ level: (SourceNode, String) -> Level?
    ) -> [(over: Span, to: Level)]? {
        guard let items = items(node, path, of: "stages", max: ScenarioLimits.stagesMax) else { return nil }
        let stages = items.enumerated().map { place, item -> (over: Span, to: Level)? in
            let path = "\(path)[\(place)]"
            guard let fields = fields(item, path, known: ["over", "to"], required: ["over", "to"]) else { return nil }
            let over = fields["over"].flatMap { span($0, "\(path).over") }
            let to = fields["to"].flatMap { level($0, "\(path).to") }
            guard let over, let to else { return nil }
            return (over, to)
        }
        let whole = stages.compactMap { $0 }
        guard whole.count == stages.count else { return nil }
        guard whole.reduce(Span.zero, { $0 + $1.over }) <= ScenarioLimits.spanMax else {
            report(node.position, "the stages in \(path) are together longer than 400 days", hint: "make some shorter")
            return nil
        }
        return whole
    }
}

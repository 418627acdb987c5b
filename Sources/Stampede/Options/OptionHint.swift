// What to type instead of an option that a command does not have: only what that command, or the scenario, accepts.
// Main thread.

import ArgumentParser
import Reporting
import Scenario
import Text

struct OptionHint {
    /// With its dashes.
    private let option: String
    private let command: CommandOptions?

    init(_ option: String, of command: String) {
        self.option = option
        self.command = CommandOptions.of(command)
    }

    /// Nil where nothing of ours is near.
    var text: String? {
        guard let command else { return nil }
        let targets = words.flatMap(\.targets) + [ForeignWord.Target(ownKey)]
        let isOnlyAboutLoad = targets.lazy.compactMap { ScenarioPlace.of($0.key) }.first == .entry
        for target in targets {
            if let own = hint(target, for: command) { return own }
            if !isOnlyAboutLoad || !command.leavesLoadOut, let said = inScenario(target, for: command) { return said }
        }
        if isOnlyAboutLoad, let load = otherLoad(of: command) { return load }
        if let elsewhere = (targets.map(\.key) + [option]).lazy.compactMap(Self.elsewhere).first { return elsewhere }
        return closestMatch(to: plain, in: command.names.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) })
            .map { "did you mean '--\($0)'?" }
    }

    /// What the option may mean: those typed as options first, then keys of scenarios.
    private var words: [ForeignWord] {
        let typed = ForeignOptions.words.filter { $0.names.contains(option) }
        if !typed.isEmpty { return typed }
        let plainName = ForeignWord.plain(option)
        let keys = ForeignWords.keys.filter { $0.isCalled(plainName) }
        if !keys.isEmpty || option.hasPrefix("--") { return keys }
        // A letter may be followed by its value, as in -u3.
        return ForeignOptions.words.filter { $0.names.contains(String(option.prefix(2))) }
    }

    // MARK: What the command accepts

    private func hint(_ target: ForeignWord.Target, for command: CommandOptions) -> String? {
        let note = target.note.map { "; \($0)" } ?? ""
        if target.key == ForeignOptions.environment.key { return "set \(target.key) in the environment" }
        if target.key == ForeignOptions.scenario.key {
            guard command.takesScenario else { return nil }
            return
                "write '\(CommandName.words) \(command.command) Scenarios/quickstart.yml': the scenario needs no option"
        }
        if target.key.hasPrefix("--") {
            return command.names.contains(target.key) ? "did you mean '\(target.key)'?\(note)" : nil
        }
        let own = "--" + target.key.replacing("_", with: "-")
        return command.names.contains(own) ? "did you mean '\(own)'?" : nil
    }

    private func inScenario(_ target: ForeignWord.Target, for command: CommandOptions) -> String? {
        guard command.takesScenario, let place = ScenarioPlace.of(target.key) else { return nil }
        return "set it in the scenario, \(place.words): '\(target.text)'" + (target.note.map { "; \($0)" } ?? "")
    }

    // MARK: What it does not

    /// What a command does instead that has another load than the scenario says.
    private func otherLoad(of command: CommandOptions) -> String? {
        switch command.command {
        case SweepCommand._commandName:
            """
            a sweep runs each journey with one user and ignores the users, rates and times of the load; \
            '\(CommandName.words) run --users N' runs more users
            """
        case SwarmCommand._commandName: "a swarm draws the load of each scenario itself"
        default: nil
        }
    }

    private static func elsewhere(_ option: String) -> String? {
        let commands = CommandOptions.commands(with: option).map { "'\($0)'" }
        guard let last = commands.last else { return nil }
        let others = commands.dropLast().joined(separator: ", ")
        return "\(option) is an option of \(others.isEmpty ? "" : others + " and ")\(last)"
    }

    private var plain: String { String(option.drop { $0 == "-" }) }

    /// A key of scenarios may be typed as an option.
    private var ownKey: String { plain.replacing("-", with: "_") }
}

extension CommandOptions {
    /// Whether what a scenario says reaches the command.
    fileprivate var takesScenario: Bool {
        arguments.contains { $0 == "scenario" || $0 == "scenarios" } || names.contains("--scenarios")
    }

    /// Whether its users do something else than the load of the scenario says.
    fileprivate var leavesLoadOut: Bool { command == SweepCommand._commandName }
}

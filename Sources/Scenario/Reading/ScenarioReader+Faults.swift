// Crashes: one kind or a list, at moments that are words or effects.
// Part of `ScenarioReader`; confined as it is.

import Simulation
import Text

extension ScenarioReader {
    func crashes(_ node: SourceNode, _ path: String) -> [CrashFault]? {
        guard case .sequence = node.content else { return read(.crash, node).map { [$0] } }
        return list(of: .crash, node, path, called: "crashes", max: ScenarioLimits.crashFaultsMax)
    }

    func crashMoment(_ node: SourceNode, _ path: String) -> CrashFault.Moment? {
        if case .mapping = node.content { return read(.effect, node, path).map { .effect($0) } }
        let words = CrashFault.Moment.named.map(\.word)
        let word = word(node, path, of: words, called: "moments, in addition to {effect: n}")
        return CrashFault.Moment.named.first { $0.word == word }?.moment
    }
}

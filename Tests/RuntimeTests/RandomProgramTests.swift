// Programs of Dispatch that nobody wrote, on virtual devices. `RuntimeTool random` runs more of them.

import RuntimePrograms
import Testing

@Suite struct RandomProgramTests {
    @Test func randomProgramsKeepTheRules() {
        let trial = ProgramTrial(seed: 1)
        trial.run(0..<2_000)
        #expect(trial.failure == nil)
    }

    @Test func randomProgramsRunTheSameTwice() {
        let trials = (0..<2).map { _ in ProgramTrial(seed: 2) }
        for trial in trials { trial.run(0..<200) }
        #expect(trials[0].digest == trials[1].digest)
    }
}

// Tasks of processes that have ended, and those of several devices.

import Dispatch
import RuntimePrograms
import Testing

@Suite struct TaskTests {
    @Test func taskOfADeadProcessNeverResumes() {
        let log = Log()
        let device = ProgramDevice()
        _ = device.run {
            Task {
                log.add("begins")
                try? await Task.sleep(for: .milliseconds(50))
                log.add("goes on")
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) {
                dispatchPrecondition(condition: .onQueue(DispatchQueue(label: "another")))
            }
        }
        #expect(device.device.process == nil)
        _ = device.device.launch()
        #expect(
            device.run {
                Task {
                    try? await Task.sleep(for: .milliseconds(100))
                    log.add("another launch")
                }
            })
        #expect(log.lines == ["begins", "another launch"])
    }

    // The system's own executor on Linux traps there.
    @Test func endlessSleepDoesNotBlockTheDevice() {
        let log = Log()
        let device = ProgramDevice()
        #expect(
            device.run {
                let sleeper = Task {
                    do { try await Task.sleep(for: .seconds(Int64.max)) } catch { log.add("cancelled") }
                }
                Task {
                    try? await Task.sleep(for: .milliseconds(10))
                    log.add("cancels")
                    sleeper.cancel()
                }
            })
        #expect(log.lines == ["cancels", "cancelled"])
    }

    // Outside client code tasks are the system's, before and after.
    @Test func tasksOfTheHostProgramStillRun() async {
        let device = ProgramDevice()
        let log = Log()
        #expect(device.run { Task { @MainActor in log.add("device") } })
        await Task.detached { log.add("program") }.value
        await MainActor.run { log.add("main") }
        #expect(log.lines == ["device", "program", "main"])
    }
}

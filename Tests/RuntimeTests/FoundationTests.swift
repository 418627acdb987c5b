// What of Foundation's is each device's own.

import ClientKit
import Foundation
import RuntimePrograms
import Testing

@Suite struct FoundationTests {
    init() { FoundationHooks.install() }

    @Test func notificationsStayOnTheirDevice() {
        let name = Notification.Name("shop.bought")
        let first = ProgramDevice(), second = ProgramDevice()
        let log = Log()
        #expect(
            first.run {
                _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                    log.add("told")
                }
            })
        #expect(second.run { NotificationCenter.default.post(name: name, object: nil) })
        NotificationCenter.default.post(name: name, object: nil)
        #expect(log.lines.isEmpty)
        #expect(first.run { NotificationCenter.default.post(name: name, object: nil) })
        #expect(log.lines == ["told"])
        // Its observers end with a launch.
        first.device.terminate()
        _ = first.device.launch()
        #expect(first.run { NotificationCenter.default.post(name: name, object: nil) })
        #expect(log.lines == ["told"])
    }

    @Test func suitesOfDefaultsStayOnTheirDeviceAndLast() throws {
        let first = ProgramDevice(), second = ProgramDevice()
        let log = Log()
        let suite = "group.com.example.shop"
        let tell = {
            let ofSuite = UserDefaults(suiteName: suite)
            log.add(
                "\(ofSuite?.string(forKey: "level") ?? "none") \(UserDefaults.standard.string(forKey: "level") ?? "none")"
            )
            log.add("\(ofSuite?.dictionaryRepresentation()["level"] ?? "none")")
            log.add("\(UserDefaults().dictionaryRepresentation()["level"] ?? "none")")
        }
        #expect(
            first.run {
                UserDefaults(suiteName: suite)?.set("seven", forKey: "level")
                UserDefaults.standard.set("one", forKey: "level")
                tell()
            })
        #expect(second.run(tell))
        first.device.terminate()
        _ = first.device.launch()
        #expect(first.run(tell))
        let own = ["seven one", "seven", "one"]
        #expect(log.lines == own + ["none none", "none", "none"] + own)
        #expect(UserDefaults(suiteName: suite)?.string(forKey: "level") == nil)
    }
}

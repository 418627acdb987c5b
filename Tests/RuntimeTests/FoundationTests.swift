// What of Foundation's is each device's own.

import ClientKit
import Foundation
import FoundationNetworking
import RuntimePrograms
import Simulation
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

    @Test func defaultsSuitesStayOnTheirDeviceAndSurvive() throws {
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

    @Test(.enabled(if: AppRuntime.isInForce)) func everyClockOfTheCLibraryReadsTheDevicesCalendar() {
        let device = ProgramDevice()
        let log = Log()
        #expect(
            device.run {
                let seconds = Int(Date().timeIntervalSince1970)
                var (ofC, ofPOSIX, ofBSD) = (timespec(), timespec(), timeval())
                timespec_get(&ofC, TIME_UTC)
                clock_gettime(CLOCK_REALTIME, &ofPOSIX)
                gettimeofday(&ofBSD, nil)
                for own in [ofC.tv_sec, ofPOSIX.tv_sec, ofBSD.tv_sec, time(nil)] { log.add("\(own - seconds)") }
            })
        #expect(log.lines == ["0", "0", "0", "0"])
    }

    @Test func environmentNamesTheDevicesFolders() {
        let device = ProgramDevice()
        let log = Log()
        let names = ["HOME", "TMPDIR", "PWD"]
        let tell = {
            let variables = ProcessInfo.processInfo.environment
            for name in names where variables[name] != getenv(name).map({ String(cString: $0) }) { log.add(name) }
            log.add(variables["HOME"] == NSHomeDirectory() ? "home" : "\(variables["HOME"] ?? "none")")
            log.add(variables["PATH"] ?? "none")
        }
        setenv("TMPDIR", "/tmp", 0)
        let path = getenv("PATH").map { String(cString: $0) } ?? "none"
        #expect(device.run(tell))
        #expect(log.lines == ["home", path])
        #expect(ProcessInfo.processInfo.environment["HOME"] == getenv("HOME").map { String(cString: $0) })
    }

    @Test func cookiesAndCachesStayOnTheirDevice() throws {
        let first = ProgramDevice(), second = ProgramDevice()
        let log = Log()
        let url = try #require(URL(string: "http://shop.example/verify"))
        let tell = {
            let ways: [(String, HTTPCookieStorage?, URLCache?)] = [
                ("shared", .shared, .shared),
                (
                    "default", URLSessionConfiguration.default.httpCookieStorage,
                    URLSessionConfiguration.default.urlCache
                ),
                (
                    "session", URLSession.shared.configuration.httpCookieStorage,
                    URLSession.shared.configuration.urlCache
                ),
                (
                    "ephemeral", URLSessionConfiguration.ephemeral.httpCookieStorage,
                    URLSessionConfiguration.ephemeral.urlCache
                ),
            ]
            for (name, cookies, cache) in ways {
                let answer = cache?.cachedResponse(for: URLRequest(url: url))
                log.add("\(name) \(cookies?.cookies(for: url)?.count ?? -1) \(answer?.data.count ?? 0)")
            }
        }
        #expect(
            first.run {
                let cookie = HTTPCookie(properties: [
                    .name: "session", .value: "7", .domain: "shop.example", .path: "/",
                ])
                if let cookie { HTTPCookieStorage.shared.setCookie(cookie) }
                let answer = URLResponse(url: url, mimeType: nil, expectedContentLength: 3, textEncodingName: nil)
                URLCache.shared.storeCachedResponse(
                    CachedURLResponse(response: answer, data: Data("yes".utf8)), for: URLRequest(url: url))
                tell()
            })
        #expect(log.lines == ["shared 1 3", "default 1 3", "session 1 3", "ephemeral 0 0"])
        #expect(second.run(tell))
        #expect(log.lines.suffix(4) == ["shared 0 0", "default 0 0", "session 0 0", "ephemeral 0 0"])
        tell()
        #expect(log.lines.suffix(4) == ["shared 0 0", "default 0 0", "session 0 0", "ephemeral 0 0"])
    }
}

// Words for what apps send to servers on the web, and for the answers.
// Pure; any thread.

import Judgement
import ReportModel
import Simulation

extension Narrator {
    /// Nil where the name was not kept.
    func address(of post: DeviceEvent.PostNote) -> WebAddress? { input.names.addresses[post.address] }

    /// `the app sends POST https://api.example.com/verify`
    func sends(_ address: WebAddress?) -> EventWords {
        guard let address else { return .by(.app, "the app sends a request to a server", to: .server) }
        if address.isValidator { return .by(.app, "the app sends its receipt to the validator", to: .appStore) }
        return .by(.app, "the app sends \(address.method) \(address.url)", to: .server)
    }

    /// `api.example.com answers 200, 12 bytes`
    func answers(_ address: WebAddress?, _ outcome: DeviceEvent.PostOutcome) -> EventWords {
        if let address, address.isValidator { return validatorAnswers(outcome) }
        let server = address?.host ?? "a server"
        let (text, trigger) =
            switch outcome {
            case .status(let status, let bytes):
                ("answers \(status), \(count(Int(bytes), "byte"))", "answered \(status)")
            case .failed(let code): silence(code)
            }
        return .by(.server, "\(server) \(text)", to: .app, when: "just after \(server) \(trigger)")
    }

    private func validatorAnswers(_ outcome: DeviceEvent.PostOutcome) -> EventWords {
        let (text, trigger) =
            switch outcome {
            case .status(200, _): ("answers: valid", "answered")
            case .status(let status, _): ("answers: HTTP status \(status)", "answered with HTTP status \(status)")
            case .failed(let code): silence(code)
            }
        return .by(.appStore, "the validator \(text)", to: .app, when: "just after the validator \(trigger)")
    }

    private func silence(_ code: Int32) -> (text: String, trigger: String) {
        let why = words(for: .network(code: Int(code)))
        return ("does not answer: \(why)", "had not answered: \(why)")
    }

    /// `the request POST https://api.example.com/verify`
    func lostRequest(to address: WebAddress?) -> String {
        guard let address else { return "a request to a server" }
        return address.isValidator
            ? "the receipt for the validator" : "the request \(address.method) \(address.url)"
    }

    /// What a lost answer was sent by.
    func server(of message: DeviceEvent.LostNote) -> Report.Party {
        guard message.kind == .post else { return .appStore }
        return input.names.addresses[message.address].map { $0.isValidator } ?? false ? .appStore : .server
    }
}

// Receipts: validated over HTTP, and refreshed when the user restores.
// Confined to the device's main queue.

import ClientKit
import Foundation
import Simulation
import StoreKit

/// Sends the receipt to the validator. Concurrent callers share the answer, however old the receipt is that was sent.
final class IAPReceiptService: NSObject, SKRequestDelegate {
    /// The products that the validator lists, or why it did not answer.
    typealias Validation = Result<Set<String>, IAPError>

    /// Called with the products of each good answer, before its callers.
    var onValidated: ((Set<String>) -> Void)?

    private let environment: AppEnvironment
    private let records: IAPRecords
    private let main: MainQueueHops
    private let validatorURL: String
    private let applicationUsername: String?
    private var validations: [(Validation) -> Void] = []
    private var receiptRequest: SKReceiptRefreshRequest?
    private var refreshes: [IAPRefreshCallback] = []

    init(
        environment: AppEnvironment, records: IAPRecords, main: MainQueueHops, validatorURL: String,
        applicationUsername: String?
    ) {
        self.environment = environment
        self.records = records
        self.main = main
        self.validatorURL = validatorURL
        self.applicationUsername = applicationUsername
    }

    // MARK: Validating

    func validate(_ callback: @escaping (Validation) -> Void) {
        validations.append(callback)
        guard validations.count == 1 else { return }
        // Without a receipt nothing has been bought yet.
        guard let receipt = environment.receipt else { return validated(.success([])) }
        let body: Data
        do {
            let request = ValidatorRequest(
                bundleIdentifier: environment.bundleIdentifier, receipt: receipt.encoded(),
                applicationUsername: applicationUsername)
            body = try JSONEncoder().encode(request)
        } catch {
            return validated(.failure(.validateReceiptFailed(error.localizedDescription)))
        }
        environment.http.post(validatorURL, body) { [weak self] result in self?.take(result) }
    }

    private func take(_ result: Result<HTTPResponse, HTTPError>) {
        switch result {
        case .failure(let error):
            validated(.failure(.validateReceiptFailed(error.localizedDescription)))
        case .success(let response):
            guard response.status == 200,
                let answer = try? JSONDecoder().decode(ValidatorAnswer.self, from: response.body)
            else {
                return validated(.failure(.validateReceiptFailed("The server answered \(response.status).")))
            }
            records.note(answer.data.collection)
            validated(.success(Set(answer.data.collection.map(\.id))))
        }
    }

    private func validated(_ validation: Validation) {
        let waiting = validations
        validations = []
        if case .success(let products) = validation { onValidated?(products) }
        for callback in waiting { callback(validation) }
    }

    // MARK: Restoring

    /// A fresh receipt from the App Store, validated.
    func restore(_ callback: @escaping IAPRefreshCallback) {
        refreshes.append(callback)
        guard refreshes.count == 1 else { return }
        let request = SKReceiptRefreshRequest()
        request.delegate = self
        receiptRequest = request
        request.start()
    }

    func requestDidFinish(_ request: SKRequest) {
        main.inOrder { [weak self] in
            self?.validate { validation in
                switch validation {
                case .success: self?.restored(IAPRefreshResult(state: .succeeded))
                case .failure(let error): self?.restored(IAPRefreshResult(state: .failed, iapError: error))
                }
            }
        }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        let result = IAPRefreshResult(state: .failed, iapError: .refreshReceiptFailed(error.localizedDescription))
        main.inOrder { [weak self] in self?.restored(result) }
    }

    private func restored(_ result: IAPRefreshResult) {
        receiptRequest = nil
        let waiting = refreshes
        refreshes = []
        for callback in waiting { callback(result) }
    }
}

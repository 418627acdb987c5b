// HTTP as an app uses it.
// Call it on the device's main queue. Calls from other threads are forwarded to that queue.

public import Foundation
import Simulation

/// A server's answer to a request.
public struct HTTPResponse: Sendable, Equatable {
    /// The HTTP status; 200 means success.
    public let status: Int
    public let body: Data
}

/// Why a request got no answer.
public enum HTTPError: Error, Sendable, Equatable, LocalizedError {
    /// The device is not connected.
    case offline
    /// The server did not answer within the request timeout. It may still have received the request.
    case timedOut
    /// The connection was reset before the answer arrived. The server may still have received the request.
    case connectionLost
    /// No server has this address.
    case cannotFindHost

    init(_ failure: WebFailure) {
        switch failure {
        case .offline: self = .offline
        case .timedOut: self = .timedOut
        case .connectionLost: self = .connectionLost
        case .cannotFindHost: self = .cannotFindHost
        }
    }

    public var errorDescription: String? {
        switch self {
        case .offline: return "The device is not connected to the internet."
        case .timedOut: return "The server did not answer in time."
        case .connectionLost: return "The connection was lost."
        case .cannotFindHost: return "There is no such server."
        }
    }
}

/// HTTP requests over the device's network, which may lose them.
///
/// The simulated web has one server: the receipt validator, at `AppEnvironment.validatorURL`.
public struct AppHTTP {
    let process: AppProcess

    /// Posts `body` to `url` and calls `completion` once, on the main queue.
    /// If the app's process ends first, `completion` is never called.
    public func post(
        _ url: String, _ body: Data, completion: @escaping (Result<HTTPResponse, HTTPError>) -> Void
    ) {
        let request = WebRequest(url: url, body: body)
        let device = process.device
        if device.lane.isCurrent { return Self.post(request, process, completion) }
        let transfer = UnsafeTransfer(completion)
        device.performFromOutside(process) { [process] in Self.post(request, process, transfer.value) }
    }

    private static func post(
        _ request: WebRequest, _ process: AppProcess,
        _ completion: @escaping (Result<HTTPResponse, HTTPError>) -> Void
    ) {
        process.device.post(request, from: process) { result in
            switch result {
            case .success(let answer):
                completion(.success(HTTPResponse(status: answer.status, body: answer.body)))
            case .failure(let failure):
                completion(.failure(HTTPError(failure)))
            }
        }
    }
}

extension AppEnvironment {
    public var http: AppHTTP { AppHTTP(process: process) }

    /// The address of the receipt validator, which answers JSON with JSON.
    /// It takes the app's bundle identifier under `id`, `type: application`, a block `device`,
    /// a block `transaction` of `type: ios-appstore` with the receipt in base64 as `appStoreReceipt`, or one transaction's identifier as `transactionId`,
    /// and `additionalData.applicationUsername`.
    /// It answers with `data.collection`, one entry for each of these purchases that the App Store knows
    /// (`id`, `purchaseDate`, `quantity`, `expiryDate`, `isExpired`, dates in milliseconds since 1970),
    /// and `data.ineligible_for_intro_price`, a list of products.
    public var validatorURL: String { SimulatedAppStore.validatorURL }

    public var bundleIdentifier: String { process.device.appIdentity.bundleIdentifier }
}

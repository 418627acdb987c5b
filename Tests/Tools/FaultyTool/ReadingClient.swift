// A client that looks for its receipt at every callback.
// Runs on its device's main queue.

import ClientKit
import Foundation
import Stampede
import StoreKit

final class ReadingClient: PlainClient, StoreClient {
    static let name = "reading"
    static let summary = "Looks for its receipt at every callback."
    static let options = [
        ClientOption(
            name: "how", values: ["url", "data", "exists", "contents", "options", "stream", "fopen", "file_handle"],
            meaning: "What it does with the receipt's URL.")
    ]

    override func mischief() {
        guard environment.hasReceipt, let url = CurrentDevice.appStoreReceiptURL else { return }
        let isRead: Bool
        switch environment.options["how"] {
        case "data": isRead = (try? Data(contentsOf: url))?.isEmpty == false
        case "exists": isRead = FileManager.default.fileExists(atPath: url.path)
        case "contents": isRead = FileManager.default.contents(atPath: url.path)?.isEmpty == false
        case "options": isRead = (try? Data(contentsOf: url, options: .mappedIfSafe))?.isEmpty == false
        case "stream":
            let stream = InputStream(url: url)
            stream?.open()
            var bytes = [UInt8](repeating: 0, count: 64)
            isRead = stream?.read(&bytes, maxLength: bytes.count) ?? 0 > 0
            stream?.close()
        case "fopen":
            let file = fopen(url.path, "r")
            isRead = file != nil
            if let file { fclose(file) }
        case "file_handle": isRead = (try? FileHandle(forReadingFrom: url))?.readDataToEndOfFile().isEmpty == false
        default: isRead = url.isFileURL
        }
        FileHandle.standardError.write(Data((isRead ? "receipt read\n" : "receipt missing\n").utf8))
    }
}

// Tries the app runtime with programs of Dispatch that nobody wrote.
// Main thread.
//
//   RuntimeTool random COUNT SEED   runs programs on virtual devices; ends with 1 at the first that breaks a rule

import Foundation
import RuntimePrograms

let arguments = CommandLine.arguments.dropFirst().map { $0 }
guard arguments.count == 3, arguments[0] == "random", let count = Int(arguments[1]), let seed = UInt64(arguments[2])
else {
    print("RuntimeTool random COUNT SEED")
    exit(64)
}
let trial = ProgramTrial(seed: seed)
let began = Date()
trial.run(0..<count) { hang in
    print(hang)
    fflush(nil)
    _exit(1)
}
let seconds = Date().timeIntervalSince(began)
if let failure = trial.failure {
    print(failure)
    exit(1)
}
print("\(count) programs in \(Int(seconds)) s, \(Int(Double(count) / seconds)) a second, digest \(trial.digest)")

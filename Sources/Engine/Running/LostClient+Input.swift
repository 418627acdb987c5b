// A client that does not come back, as it is judged.
// A value; any thread.

import Hosting
import Judgement

extension LostClient {
    /// What a judge of hangs is to see.
    var input: AuditInput {
        var input = AuditInput(ofEvents: events, catalog)
        input.log = log
        (input.writtenPlaces, input.names) = (writtenPlaces, names)
        return input
    }
}

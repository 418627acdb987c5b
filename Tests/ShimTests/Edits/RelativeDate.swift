// Row: `RelativeDateTimeFormatter`

import Foundation

private func age(of date: Date) -> String {
    #if EDITED
        date.formatted(.relative(presentation: .numeric))
    #else
        RelativeDateTimeFormatter().localizedString(for: date, relativeTo: Date())
    #endif
}

// What models take from SwiftUI and Combine, without a view.

import ClientKit
import Foundation
import RuntimePrograms
import Simulation
import StandaloneUse
import SwiftUI
import Testing

private class Model: ObservableObject {
    @Published var count = 0
}

private final class Shop: Model {
    @Published private(set) var bought: [String] = []
    @AppStorage("isPro") var isPro = false

    func buy(_ identifier: String) { bought.append(identifier) }
}

private enum Theme: String { case plain, festive }

private struct Settings {
    @AppStorage("launches") var launches = 1
    @AppStorage("price") var price = 0.5
    @AppStorage("name") var name = "nobody"
    @AppStorage("theme") var theme = Theme.plain
    @AppStorage("receipt") var receipt = Data([1])
    @AppStorage("page") var page = URL(fileURLWithPath: "/shop")
    @AppStorage("code") var code: String?
    @AppStorage("level") var level: Int?
}

@Observable private final class Cart { var items = 0 }

private struct ThemeKey: EnvironmentKey { static let defaultValue = Theme.plain }

extension EnvironmentValues {
    fileprivate var theme: Theme {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }
}

@Suite(.serialized, .aloneOnTheDevice) struct SwiftUITests {
    @Test func changeIsAnnouncedBeforeItHappens() {
        let shop = Shop()
        var seen: [[String]] = []
        let cancellable = shop.objectWillChange.sink { _ in seen.append(shop.bought) }
        shop.buy("coins")
        shop.buy("pro")
        #expect(seen == [[], ["coins"]])
        #expect(shop.bought == ["coins", "pro"])
        cancellable.cancel()
        shop.buy("gems")
        #expect(seen.count == 2)
    }

    @Test func superclassAnnouncesThroughTheSameObject() {
        let shop = Shop()
        var changes = 0
        var all = Set<AnyCancellable>()
        shop.objectWillChange.sink { _ in changes += 1 }.store(in: &all)
        shop.count = 3
        shop.buy("coins")
        shop.objectWillChange.send()
        #expect(changes == 3)
        all = []
        shop.count = 4
        #expect(changes == 3)
    }

    @Test func storedValueIsTheDefaultUntilItIsWritten() {
        let settings = Settings()
        #expect(settings.launches == 1 && settings.price == 0.5 && settings.name == "nobody")
        #expect(settings.theme == .plain && settings.receipt == Data([1]) && settings.page.path == "/shop")
        #expect(settings.code == nil && settings.level == nil)
        settings.launches += 1
        settings.price = 2
        settings.name = "Ada"
        settings.theme = .festive
        settings.receipt = Data([2, 3])
        settings.page = URL(fileURLWithPath: "/cart")
        settings.code = "GIFT"
        settings.level = 7
        let again = Settings()
        #expect(again.launches == 2 && again.price == 2 && again.name == "Ada")
        #expect(again.theme == .festive && again.receipt == Data([2, 3]) && again.page.path == "/cart")
        #expect(again.code == "GIFT" && again.level == 7)
        again.code = nil
        #expect(settings.code == nil)
        #expect(UserDefaults.standard.integer(forKey: "launches") == 2)
    }

    @Test func bindingWritesWhatItWasMadeOf() {
        let shop = Shop()
        let isPro = shop.$isPro
        isPro.wrappedValue = true
        #expect(shop.isPro)
        let object = ObservedObject(wrappedValue: shop)
        object.projectedValue.count.wrappedValue = 5
        #expect(shop.count == 5)
        let cart = Cart()
        Bindable(cart).items.wrappedValue = 2
        #expect(cart.items == 2)
        let state = State(initialValue: [1, 2])
        state.projectedValue[dynamicMember: \.[1]].wrappedValue = 9
        #expect(state.wrappedValue == [1, 9])
        let constant = Binding.constant(1)
        constant.wrappedValue = 2
        #expect(constant.wrappedValue == 1)
    }

    @Test func stateObjectIsMadeWhenItIsAskedFor() {
        var made = 0
        func make() -> Shop {
            made += 1
            return Shop()
        }
        let object = StateObject(wrappedValue: make())
        #expect(made == 0)
        #expect(object.wrappedValue === object.wrappedValue)
        #expect(made == 1)
    }

    @Test func environmentHasDefaults() {
        var values = EnvironmentValues()
        #expect(values.theme == .plain)
        values.theme = .festive
        #expect(values.theme == .festive)
        #expect(withAnimation(.easeIn) { 3 } == 3)
    }
}

// Two devices of one account.

import DeviceSupport
import Foundation
import Simulation
import Testing

@Suite struct DevicesTests {
    private struct Pair {
        let timeline = VirtualTimeline()
        let store: SimulatedAppStore
        let first: Device
        let second: Device

        init(_ behaviour: StoreBehaviour = StoreBehaviour()) {
            let store = SimulatedAppStore(
                lane: timeline, catalog: Goods.catalog(), conditions: StoreConditions(), behaviour: behaviour,
                buyers: BuyerBehaviour(), seed: 1, cell: 0, users: 0..<1)
            store.openAccount(user: 0, owned: [], unfinished: [])
            let timeline = timeline
            let devices = (1...2).map { number in
                Device(
                    lane: timeline, store: store, user: 0, number: number, link: LinkConditions(),
                    app: AppConditions(), crashFaults: [], seed: 1)
            }
            self.store = store
            first = devices[0]
            second = devices[1]
        }

        func launch(_ device: Device) -> Recorder {
            let process = device.launch()
            let recorder = Recorder(timeline)
            _ = process.receiver(of: .paymentQueue, orMake: { recorder })
            process.request(.listen(.paymentQueue))
            return recorder
        }

        func buy(_ product: ProductIndex, on device: Device) {
            let payment = PaymentValue(productIdentifier: Goods.identifier(product), quantity: 1)
            device.process?.request(.add(payment, token: device.takePaymentToken()))
            run()
        }

        func run() {
            var isOver = false
            timeline.schedule(after: .minutes(1)) { isOver = true }
            _ = timeline.run(until: { isOver }, patience: .zero)
        }
    }

    // Payments of two devices are never taken for each other.
    @Test func paymentsOfTwoDevicesHaveDifferentTokens() {
        let pair = Pair()
        let first = pair.first.takePaymentToken()
        let second = pair.second.takePaymentToken()
        #expect(first != second && first.device == 1 && second.device == 2)
        #expect(pair.second.takePaymentToken().device == 2)
    }

    // R45: the knob is about what a restore would bring; what is used up stays where it was bought.
    @Test(arguments: ClientRules.OtherDevices.allCases)
    func otherDevicesPurchaseArrivesAsTheKnobSays(_ knob: ClientRules.OtherDevices) {
        var behaviour = StoreBehaviour()
        behaviour.otherDevices = knob
        let pair = Pair(behaviour)
        _ = pair.launch(pair.first)
        pair.buy(Goods.hat, on: pair.first)
        pair.buy(Goods.coins, on: pair.first)
        let other = pair.launch(pair.second)
        pair.run()
        #expect(other.told(.purchased).compactMap(\.product) == (knob == .delivered ? [Goods.hat] : []))
    }

    // R22, R24: the same consumable is bought on both, and each has its own.
    @Test func unfinishedConsumableStaysOnItsDevice() {
        let pair = Pair()
        let one = pair.launch(pair.first)
        let other = pair.launch(pair.second)
        pair.buy(Goods.coins, on: pair.first)
        pair.buy(Goods.coins, on: pair.second)
        #expect(one.told(.purchased).count == 1 && other.told(.purchased).count == 1)
        #expect(one.told(.purchased).first?.id != other.told(.purchased).first?.id)
        #expect(pair.store.closeAccount(user: 0).charges.count == 2)
    }

    // What one device has finished leaves the other's queue too, once that has been told and has finished it.
    @Test func entitlementIsFinishedOnEachDeviceThatReceivedIt() {
        var behaviour = StoreBehaviour()
        behaviour.otherDevices = .delivered
        let pair = Pair(behaviour)
        let one = pair.launch(pair.first)
        pair.buy(Goods.hat, on: pair.first)
        let other = pair.launch(pair.second)
        pair.run()
        for (recorder, device) in [(one, pair.first), (other, pair.second)] {
            for transaction in recorder.told(.purchased) {
                device.process?.request(.finish(handle: transaction.handle, state: transaction.state))
            }
        }
        pair.run()
        #expect(one.removed.count == 1 && other.removed.count == 1)
    }
}

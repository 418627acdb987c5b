// Values beside objects, as extensions keep their stored properties.

import Foundation
import StoreKit
import Testing

private var nameKey: UInt8 = 0
private var countKey: UInt8 = 0

extension SKPayment {
    fileprivate enum AssociatedKeys { static var note: UInt8 = 0 }

    fileprivate var note: String? {
        get { objc_getAssociatedObject(self, &AssociatedKeys.note) as? String }
        set { objc_setAssociatedObject(self, &AssociatedKeys.note, newValue, .OBJC_ASSOCIATION_COPY_NONATOMIC) }
    }
}

private final class Owner {
    var name: String? {
        get { return objc_getAssociatedObject(self, &nameKey) as? String }
        set { objc_setAssociatedObject(self, &nameKey, newValue, objc_AssociationPolicy.OBJC_ASSOCIATION_RETAIN) }
    }

    var count: Int {
        get { objc_getAssociatedObject(self, &countKey) as? Int ?? 0 }
        set { objc_setAssociatedObject(self, &countKey, newValue, .OBJC_ASSOCIATION_RETAIN_NONATOMIC) }
    }
}

private final class Value {}

@Suite struct AssociatedObjectTests {
    @Test func associatedValuesBelongToTheirObject() {
        let (one, other) = (Owner(), Owner())
        one.name = "one"
        one.count = 3
        #expect(one.name == "one" && one.count == 3 && other.name == nil && other.count == 0)
        one.name = nil
        #expect(one.name == nil && one.count == 3)
        objc_removeAssociatedObjects(one)
        #expect(one.count == 0)
        let payment = SKMutablePayment()
        payment.note = "again"
        #expect(payment.note == "again" && SKMutablePayment().note == nil)
    }

    @Test func associationPolicyDecidesAValuesLifetime() {
        let owner = Owner()
        var value: Value? = Value()
        weak let seen = value
        objc_setAssociatedObject(owner, &nameKey, value, .OBJC_ASSOCIATION_ASSIGN)
        #expect(objc_getAssociatedObject(owner, &nameKey) as? Value === value)
        objc_setAssociatedObject(owner, &countKey, value, .OBJC_ASSOCIATION_RETAIN)
        value = nil
        #expect(seen != nil)
        objc_setAssociatedObject(owner, &countKey, nil, .OBJC_ASSOCIATION_RETAIN)
        #expect(seen == nil && objc_getAssociatedObject(owner, &nameKey) == nil)
        let text = NSMutableString(string: "before")
        objc_setAssociatedObject(owner, &nameKey, text, .OBJC_ASSOCIATION_COPY)
        text.append(" and after")
        #expect(objc_getAssociatedObject(owner, &nameKey) as? String == "before")
    }

    // An object may come to stand where another stood.
    @Test func newObjectInheritsNoAssociatedValue() {
        for number in 1...1_000 {
            let owner = autoreleasepool { Owner() }
            #expect(owner.count == 0)
            owner.count = number
        }
    }

    // Of a thousand that were freed together, others' values are let go by those that come after them.
    @Test func freedObjectsReleaseTheirAssociatedValues() {
        var values: [() -> Value?] = []
        var owners: [Owner] = []
        func add(_ count: Int) {
            for _ in 0..<count {
                let (owner, value) = (Owner(), Value())
                objc_setAssociatedObject(owner, &nameKey, value, .OBJC_ASSOCIATION_RETAIN)
                owners.append(owner)
                values.append { [weak value] in value }
            }
        }
        add(1_000)
        #expect(values.allSatisfy { $0() != nil })
        owners = []
        add(2_000)
        #expect(values.prefix(1_000).allSatisfy { $0() == nil })
        #expect(values.dropFirst(1_000).allSatisfy { $0() != nil })
    }
}

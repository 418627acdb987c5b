// What a swarm sells by default: one product of every kind that the App Store has.
// A constant; any thread.

enum SwarmShop {
    static let name = "EveryKind"

    static let catalog = """
        {
          "identifier": "7C0F5A00",
          "nonRenewingSubscriptions": [
            { "type": "NonRenewingSubscription", "productID": "com.example.shop.season", "referenceName": "Season",
              "displayPrice": "9.99", "familyShareable": false, "internalID": "7C0F5A01",
              "localizations": [ { "locale": "en_US", "displayName": "Season", "description": "This season." } ] }
          ],
          "products": [
            { "type": "Consumable", "productID": "com.example.shop.coins", "referenceName": "Coins", "displayPrice": "0.99",
              "familyShareable": false, "internalID": "7C0F5A02",
              "localizations": [ { "locale": "en_US", "displayName": "Coins", "description": "A handful of coins." } ] },
            { "type": "Consumable", "productID": "com.example.shop.gems", "referenceName": "Gems", "displayPrice": "4.99",
              "familyShareable": false, "internalID": "7C0F5A03",
              "localizations": [ { "locale": "en_US", "displayName": "Gems", "description": "A handful of gems." } ] },
            { "type": "NonConsumable", "productID": "com.example.shop.no_ads", "referenceName": "No ads",
              "displayPrice": "2.99", "familyShareable": false, "internalID": "7C0F5A04",
              "localizations": [ { "locale": "en_US", "displayName": "No ads", "description": "For good." } ] },
            { "type": "NonConsumable", "productID": "com.example.shop.maps", "referenceName": "Maps",
              "displayPrice": "5.99", "familyShareable": true, "internalID": "7C0F5A05",
              "localizations": [ { "locale": "en_US", "displayName": "Maps", "description": "All the maps." } ] }
          ],
          "settings": { "_locale": "en_US", "_storefront": "USA", "_timeRate": 0 },
          "subscriptionGroups": [
            { "id": "7C0F5A10", "name": "Club", "localizations": [], "subscriptions": [
              { "type": "RecurringSubscription", "productID": "com.example.shop.gold", "referenceName": "Gold",
                "subscriptionGroupID": "7C0F5A10", "groupNumber": 1, "recurringSubscriptionPeriod": "P1M",
                "displayPrice": "9.99", "familyShareable": true, "internalID": "7C0F5A11",
                "localizations": [ { "locale": "en_US", "displayName": "Gold", "description": "All of it." } ],
                "adHocOffers": [],
                        "codeOffers": [ { "internalID": "7C0F5A16", "referenceName": "ticket", "eligibility": ["new", "expired"],
                          "isStackable": true, "paymentMode": "free", "subscriptionPeriod": "P1M" } ] },
              { "type": "RecurringSubscription", "productID": "com.example.shop.silver", "referenceName": "Silver",
                "subscriptionGroupID": "7C0F5A10", "groupNumber": 2, "recurringSubscriptionPeriod": "P1M",
                "displayPrice": "4.99", "familyShareable": false, "internalID": "7C0F5A12",
                "localizations": [ { "locale": "en_US", "displayName": "Silver", "description": "Half of it." } ],
                "introductoryOffer": { "internalID": "7C0F5A13", "paymentMode": "free", "numberOfPeriods": 1,
                  "subscriptionPeriod": "P1W" },
                "adHocOffers": [],
                "codeOffers": [ { "internalID": "7C0F5A14", "referenceName": "poster", "eligibility": ["new", "expired"],
                  "isStackable": true, "paymentMode": "free", "subscriptionPeriod": "P1M" },
                          { "internalID": "7C0F5A15", "referenceName": "ticket", "eligibility": ["new", "existing", "expired"],
                            "isStackable": true, "paymentMode": "free", "subscriptionPeriod": "P1W" } ] } ] }
          ],
          "version": { "major": 4, "minor": 0 }
        }

        """
}

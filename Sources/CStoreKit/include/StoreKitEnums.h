// StoreKit's enumerations as open C enums, so that Swift imports them exactly as Apple's:
// raw values outside the cases are representable, and `@unknown default` means what it means there.
#ifndef STAMPEDE_STOREKIT_ENUMS_H
#define STAMPEDE_STOREKIT_ENUMS_H

#define STAMPEDE_OPEN_ENUM __attribute__((enum_extensibility(open)))

/// The state of a payment transaction.
typedef enum STAMPEDE_OPEN_ENUM SKPaymentTransactionState : long {
    SKPaymentTransactionStatePurchasing = 0,
    SKPaymentTransactionStatePurchased = 1,
    SKPaymentTransactionStateFailed = 2,
    SKPaymentTransactionStateRestored = 3,
    SKPaymentTransactionStateDeferred = 4,
} SKPaymentTransactionState;

/// The codes of SKErrorDomain.
typedef enum STAMPEDE_OPEN_ENUM SKErrorCode : long {
    SKErrorCodeUnknown = 0,
    SKErrorCodeClientInvalid = 1,
    SKErrorCodePaymentCancelled = 2,
    SKErrorCodePaymentInvalid = 3,
    SKErrorCodePaymentNotAllowed = 4,
    SKErrorCodeStoreProductNotAvailable = 5,
    SKErrorCodeCloudServicePermissionDenied = 6,
    SKErrorCodeCloudServiceNetworkConnectionFailed = 7,
    SKErrorCodeCloudServiceRevoked = 8,
    SKErrorCodePrivacyAcknowledgementRequired = 9,
    SKErrorCodeUnauthorizedRequestData = 10,
    SKErrorCodeInvalidOfferIdentifier = 11,
    SKErrorCodeInvalidSignature = 12,
    SKErrorCodeMissingOfferParams = 13,
    SKErrorCodeInvalidOfferPrice = 14,
    SKErrorCodeOverlayCancelled = 15,
    SKErrorCodeOverlayInvalidConfiguration = 16,
    SKErrorCodeOverlayTimeout = 17,
    SKErrorCodeIneligibleForOffer = 18,
    SKErrorCodeUnsupportedPlatform = 19,
    SKErrorCodeOverlayPresentedInBackgroundScene = 20,
    SKErrorCodePaymentMethodBindingConfigurationRequired = 21,
} SKErrorCode;

#endif

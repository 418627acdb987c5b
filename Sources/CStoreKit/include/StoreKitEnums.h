// StoreKit's enumerations as open C enums, so that Swift imports them exactly as Apple's:
// raw values outside the cases are representable, and `@unknown default` means what it means there.
// The two that Apple froze are closed: a switch over their cases needs no default.
#ifndef STAMPEDE_STOREKIT_ENUMS_H
#define STAMPEDE_STOREKIT_ENUMS_H

#define STAMPEDE_OPEN_ENUM __attribute__((enum_extensibility(open)))
#define STAMPEDE_CLOSED_ENUM __attribute__((enum_extensibility(closed)))

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

/// Swift's `SKProduct.PeriodUnit`.
typedef enum STAMPEDE_OPEN_ENUM SKProductPeriodUnit : unsigned long {
    SKProductPeriodUnitDay = 0,
    SKProductPeriodUnitWeek = 1,
    SKProductPeriodUnitMonth = 2,
    SKProductPeriodUnitYear = 3,
} SKProductPeriodUnit;

/// Swift's `SKProductDiscount.PaymentMode`.
typedef enum STAMPEDE_OPEN_ENUM SKProductDiscountPaymentMode : unsigned long {
    SKProductDiscountPaymentModePayAsYouGo = 0,
    SKProductDiscountPaymentModePayUpFront = 1,
    SKProductDiscountPaymentModeFreeTrial = 2,
} SKProductDiscountPaymentMode;

/// Swift's `SKProductDiscount.Type`.
typedef enum STAMPEDE_OPEN_ENUM SKProductDiscountType : unsigned long {
    SKProductDiscountTypeIntroductory = 0,
    SKProductDiscountTypeSubscription = 1,
} SKProductDiscountType;

/// Where a download of hosted content stands.
typedef enum STAMPEDE_CLOSED_ENUM SKDownloadState : long {
    SKDownloadStateWaiting = 0,
    SKDownloadStateActive = 1,
    SKDownloadStatePaused = 2,
    SKDownloadStateFinished = 3,
    SKDownloadStateFailed = 4,
    SKDownloadStateCancelled = 5,
} SKDownloadState;

/// Whether a promoted product is shown on this device.
typedef enum STAMPEDE_CLOSED_ENUM SKProductStorePromotionVisibility : long {
    SKProductStorePromotionVisibilityDefault = 0,
    SKProductStorePromotionVisibilityShow = 1,
    SKProductStorePromotionVisibilityHide = 2,
} SKProductStorePromotionVisibility;

#endif

#include "StoreKitEnums.h"

// The command with shops as apps write them: one twice, with the file that `stampede glue` prints and as it is, and the same
// shop in five ways.

import PlainShop
import ShopClient
import Stampede

Stampede.main(clients: [
    ShopClient.ShopStoreClient.self, PlainShop.ShopStoreClient.self, StuckShopClient.self, StuckAtLaunchShopClient.self,
    CallbackShopClient.self, HastyCallbackShopClient.self, OwnCallbackShopClient.self,
    MainActorShopClient.self, HastyMainActorShopClient.self, OwnMainActorShopClient.self,
    TrustingShopClient.self,
    ActorShopClient.self, HastyActorShopClient.self, OwnActorShopClient.self,
    OperationShopClient.self, HastyOperationShopClient.self, OwnOperationShopClient.self,
    WaitingShopClient.self, HastyWaitingShopClient.self, OwnWaitingShopClient.self,
    FileShopClient.self, OwnFileShopClient.self, HastyFileShopClient.self,
    VerifyingShopClient.self, OwnVerifyingShopClient.self,
])

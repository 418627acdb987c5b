// The command with a shop as apps write it, twice: with the file that `stampede glue` prints, and as it is.

import PlainShop
import ShopClient
import Stampede

Stampede.main(clients: [
    ShopClient.ShopStoreClient.self, PlainShop.ShopStoreClient.self, WaitingShopClient.self, StuckShopClient.self,
    OwnWaitingShopClient.self, MainActorShopClient.self, ActorShopClient.self,
    OwnMainActorShopClient.self, OwnActorShopClient.self, FileShopClient.self, OwnFileShopClient.self,
    HastyFileShopClient.self, VerifyingShopClient.self, OwnVerifyingShopClient.self,
])

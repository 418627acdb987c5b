import Stampede

Stampede.main(clients: [KioskClient.self])

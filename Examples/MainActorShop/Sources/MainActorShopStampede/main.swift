import Stampede

Stampede.main(clients: [LecternClient.self])

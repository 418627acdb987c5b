import Stampede

Stampede.main(clients: [AtlasClient.self])

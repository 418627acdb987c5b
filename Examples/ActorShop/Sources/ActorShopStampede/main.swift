import Stampede

Stampede.main(clients: [InkwellClient.self])

import Stampede

Stampede.main(clients: [LabyrinthClient.self])

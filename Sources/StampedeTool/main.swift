import Stampede

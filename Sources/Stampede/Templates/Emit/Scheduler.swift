// What `stampede emit` writes files for, and what each of them can start.
// Pure; any thread.

import ArgumentParser

enum Scheduler: String, CaseIterable, ExpressibleByArgument {
    case slurm, kubernetes, github, gitlab, mpi, parallel

    /// As people call it.
    var title: String {
        switch self {
        case .slurm: "Slurm"
        case .kubernetes: "Kubernetes"
        case .github: "GitHub Actions"
        case .gitlab: "GitLab CI"
        case .mpi: "MPI"
        case .parallel: "GNU parallel"
        }
    }

    /// As many parts as it takes, whatever is set up; nil where there is no such limit.
    var shardsMax: Int? {
        switch self {
        case .github: 256
        case .gitlab: 200
        case .slurm, .kubernetes, .mpi, .parallel: nil
        }
    }

    /// Whether all parts begin at the same time.
    var startsTogether: Bool {
        switch self {
        // One step, one mpirun, or all in one machine.
        case .slurm, .mpi, .parallel: true
        case .kubernetes, .github, .gitlab: false
        }
    }

    /// Whether the file is for machines that only have what the file brings there: the repository, or an image of it.
    var buildsProgram: Bool {
        switch self {
        case .kubernetes, .github, .gitlab: true
        case .slurm, .mpi, .parallel: false
        }
    }

    /// What to call the file where nobody has said it.
    var usualName: String {
        switch self {
        case .slurm, .mpi, .parallel: "job.sh"
        case .kubernetes: "job.yaml"
        case .github: ".github/workflows/stampede.yml"
        case .gitlab: ".gitlab-ci.yml"
        }
    }
}

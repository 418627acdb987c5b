// `stampede emit kubernetes`: a claim for the parts, an Indexed Job that runs them, and a Job that merges them.
// Pure; any thread.

import ClientKit
import ReportModel
import Reporting
import Text

struct KubernetesManifest {
    let run: EmittedRun
    let image: String

    /// What an image is called where nobody has said it.
    static func usualImage(_ program: String) -> String { ClientName.hyphenated(program).lowercased() }

    /// How long all parts may take, and how much longer the merge.
    private static let secondsMax = 21_600
    private static let mergeSecondsMax = 3_600
    /// The user that the image has for it.
    private static let user = 1_000

    /// Of all objects, and of the hosts of pods, whose names have 63 letters with what is put behind it.
    private var name: String {
        let stem = String(run.stem.lowercased().map { $0 == "_" ? "-" : $0 }.prefix(34))
        return "stampede-" + stem.trimmed { $0 == "-" }
    }

    var text: String {
        let file = run.name ?? Scheduler.kubernetes.usualName
        return #"""
            \#(run.head("under Kubernetes"))
            #
            # The image \#(image) contains the program, and the scenario's files at their paths below its working directory.
            # With --containerfile, the command above prints the image's Containerfile.
            #
            #   kubectl apply -f \#(file)
            #   merge=\#(name)-merge
            #   until kubectl get job $merge -o jsonpath='{.status.conditions[*].type}' | grep -qE 'Complete|Failed'; do sleep 5; done
            #   kubectl logs job/$merge
            #   exit "$(kubectl get pods -l job-name=$merge \
            #       -o jsonpath='{.items[*].status.containerStatuses[0].state.terminated.exitCode}')"
            #
            # The exit code of the container 'merge' is the verdict, and the last command exits with it:
            \#(run.exitCodes)
            # The report is in the folder 'whole' of the claim. 'kubectl delete -f \#(file)' deletes everything.
            \#(restart)
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata:
              name: \#(name)
            spec:
              # All parts write to it, on any node: the cluster's storage class has to support that.
              accessModes: [ReadWriteMany]
              resources: {requests: {storage: 10Gi}}
            ---
            \#(parts)
            ---
            \#(merge)

            """#
    }

    private var restart: String {
        run.startsTogether
            ? """
            # The scenario runs in real time: the parts should start together, which needs room for all of them; nothing here
            # makes them do so. No part is restarted.
            """
            : """
            # A part whose pod is moved or lost resumes on another node. If a part fails for good, the merge starts when the
            # time limit of all parts ends, and names the missing part.
            """
    }

    // MARK: Jobs

    private var parts: String {
        var words = ["run"] + run.words + ["--shard", "auto", "--of", "\(run.shards)"]
        if !run.startsTogether { words.append("--resume") }
        words += ["--out", "/reports/parts", "--workers"]
        let arguments = words.map { "            - \(EmittedYAML.quoted(literal($0)))\n" }.joined()
        return #"""
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: \#(name)-parts
            spec:
              completionMode: Indexed
              completions: \#(run.shards)
              parallelism: \#(run.shards)
              activeDeadlineSeconds: \#(Self.secondsMax)
            \#(policy)
              template:
                spec:
            \#(pod)
                  terminationGracePeriodSeconds: 60
                  containers:
                    - name: part
                      image: \#(EmittedYAML.quoted(image))
                      imagePullPolicy: IfNotPresent
                      command: [\#(EmittedYAML.quoted(literal(run.program)))]
                      args:
            \#(arguments)\#
                        - $(WORKERS)
                      env:
                        - {name: HOME, value: /tmp}
                        # A container sees all processors of its node; this is its own share.
                        - name: WORKERS
                          valueFrom: {resourceFieldRef: {containerName: part, resource: limits.cpu}}
                      resources:
                        requests: {cpu: "2", memory: 2Gi}
                        limits: {cpu: "2", memory: 2Gi}
            \#(container(indent: 10))
            \#(volumes)
            """#
    }

    private var policy: String {
        run.startsTogether
            ? "  backoffLimitPerIndex: 0"
            : #"""
              backoffLimitPerIndex: 3
              podFailurePolicy:
                rules:
                  # A moved pod has not failed.
                  - action: Ignore
                    onPodConditions: [{type: DisruptionTarget, status: "True"}]
                  # A wrong scenario or option stays wrong: no retry.
                  - action: FailIndex
                    onExitCodes: {containerName: part, operator: In, values: [\#(ExitStatus.invalidInput.rawValue)]}
            """#
    }

    private var merge: String {
        #"""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: \#(name)-merge
        spec:
          # Its exit code is the verdict: no retry.
          backoffLimit: 0
          activeDeadlineSeconds: \#(Self.secondsMax + Self.mergeSecondsMax)
          template:
            spec:
        \#(pod)
              initContainers:
                - name: wait
                  image: \#(EmittedYAML.quoted(image))
                  imagePullPolicy: IfNotPresent
                  command: [sh, -c]
                  args:
                    - |
        \#(EmittedYAML.indented(wait, by: 14))
                  resources:
                    requests: {cpu: 100m, memory: 64Mi}
                    limits: {cpu: 100m, memory: 64Mi}
        \#(container(indent: 10))
              containers:
                - name: merge
                  image: \#(EmittedYAML.quoted(image))
                  imagePullPolicy: IfNotPresent
                  command: [sh, -c]
                  args:
                    - exec "$0" merge /reports/parts/\#(run.parts) --out /reports/whole
                    - \#(EmittedYAML.quoted(literal(run.program)))
                  env:
                    - {name: HOME, value: /tmp}
                  resources:
                    requests: {cpu: "1", memory: 2Gi}
                    limits: {cpu: "1", memory: 2Gi}
        \#(container(indent: 10))
        \#(volumes)
        """#
    }

    /// Each part's folder appears whole.
    private var wait: String {
        #"""
        mkdir -p /reports/parts && cd /reports/parts || exit
        timeout \#(Self.secondsMax) sh -c '
          until set -- \#(run.parts); [ -d "$1" ] && [ $# -ge \#(run.shards) ]; do sleep 5; done
        ' || echo "the time limit ended before all parts were there"
        """#
    }

    // MARK: The image

    /// What builds the image, from the package's folder.
    var containerfile: String {
        let files = run.files.map(ShellWord.quoted).joined(separator: " ")
        return ContainerFile(
            head: """
                # \(run.program) with \(run.scenario) in a small image, run by an unprivileged user. In the package's folder:
                #
                #   docker build -f \(run.name.map(ShellWord.quoted) ?? "Containerfile") -t \(ShellWord.quoted(image)) .
                #
                # List '.build' and 'Reports' in .dockerignore.
                """,
            product: run.program, home: "/src", after: "RUN mkdir /scenarios && cp --parents -- \(files) /scenarios/\n",
            files: "COPY --from=build /scenarios/ ./"
        ).text
    }

    // MARK: What pods and containers have in common

    private var pod: String {
        """
              restartPolicy: Never
              automountServiceAccountToken: false
              securityContext:
                runAsNonRoot: true
                runAsUser: \(Self.user)
                runAsGroup: \(Self.user)
                fsGroup: \(Self.user)
                seccompProfile: {type: RuntimeDefault}
        """
    }

    private func container(indent: Int) -> String {
        EmittedYAML.indented(
            """
            securityContext:
              allowPrivilegeEscalation: false
              readOnlyRootFilesystem: true
              capabilities: {drop: [ALL]}
            volumeMounts:
              - {name: reports, mountPath: /reports}
              - {name: tmp, mountPath: /tmp}
            """, by: indent)
    }

    private var volumes: String {
        """
              volumes:
                - name: reports
                  persistentVolumeClaim: {claimName: \(name)}
                - name: tmp
                  emptyDir: {}
        """
    }

    /// As Kubernetes leaves it: it puts values of variables in the place of $(NAME) in commands and arguments.
    private func literal(_ text: String) -> String {
        text.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
    }
}

extension String {
    /// Without such letters at both ends.
    fileprivate func trimmed(_ isLeftOut: (Character) -> Bool) -> Substring {
        let tail = drop(while: isLeftOut)
        return tail.prefix(upTo: tail.lastIndex { !isLeftOut($0) }.map(tail.index(after:)) ?? tail.startIndex)
    }
}

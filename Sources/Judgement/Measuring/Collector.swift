// What a worker keeps of the users it has judged: counts, samples, and the evidence worth showing.
// Guard: its worker under the virtual clock, its lane under the wall clock.

package import Files
package import Metrics
package import Simulation

package final class Collector: UserJudge, @unchecked Sendable {
    package let tally: Tally
    /// All breaches.
    package private(set) var counts: [FoundRule: Int] = [:]
    /// Whom they were found of.
    package private(set) var affected = AffectedUsers()
    /// Violations by the load entry of their users.
    package private(set) var violationsOfEntries: [Int: Int] = [:]
    /// How often client code came to the same end.
    package private(set) var deaths: [DeathCause: Int] = [:]
    package private(set) var faults: [FoundFault] = []
    package private(set) var faultCount = 0
    package private(set) var evidence: [FoundRule: [FoundViolation]] = [:]
    /// When the last journey ended.
    package private(set) var journeyEnd = Instant.start
    /// What happened to the one user that the run is about, if it is about one, device by device.
    package private(set) var onlyUserStories: [UserStory] = []
    package private(set) var usersJudged = 0
    /// Charges whose goods the apps had to grant: charges of the run, and charges that were unfinished at its start.
    package private(set) var chargesToDeliver = 0
    /// How often apps tried what users asked for.
    package private(set) var attempts = AttemptsByKind()
    /// Users whose journeys never let time pass.
    package private(set) var spinningUsers = 0

    private var auditor = Auditor()
    private let onJudged: (@Sendable (JudgedUser) -> Void)?
    private let plan: MeasurePlan
    private let operations: (any OperationLog)?

    /// Evidence is kept of the first users, in the order of their numbers, so that what is shown does not depend on
    /// which worker judged whom.
    package static let evidencePerRule = 5
    /// Of a rule whose breaches are alike: one of each kind.
    package static let evidenceOfDeaths = 20
    package static let faultsKept = 20

    /// - Parameter onJudged: hears of each user that this collector judges itself, not of those it merges.
    package init(_ plan: MeasurePlan, onJudged: (@Sendable (JudgedUser) -> Void)? = nil) {
        self.plan = plan
        self.onJudged = onJudged
        operations = plan.operations?.makeLog()
        tally = Tally(selections: plan.selections)
        // Measured by this engine whether or not anything happens: zero is then a measurement.
        for metric in Self.measuredCounters { tally.declare(metric) }
    }

    /// For findings alone, which are merged into the findings of the tally's owner.
    private init(_ plan: MeasurePlan, tally: Tally) {
        (self.plan, self.tally) = (plan, tally)
        onJudged = nil
        operations = nil
    }

    private static let measuredCounters = MetricName.allCases.filter { $0.kind == .counter && $0.row.condition == nil }

    // MARK: Reading

    /// How often a rule was broken, however gravely; none that was not.
    package var countsByRule: [AuditRule: Int] { sum { _ in true } }
    /// What fails a run, by rule.
    package var violationCounts: [AuditRule: Int] { sum(\.isViolation) }
    package var warningCounts: [AuditRule: Int] { sum { $0 == .warning } }
    /// What is only told.
    package var remarkCounts: [AuditRule: Int] { sum { $0 == .info } }

    private func sum(_ severities: (Severity) -> Bool) -> [AuditRule: Int] {
        counts.reduce(into: [:]) { sums, item in
            if severities(item.key.severity) { sums[item.key.rule, default: 0] += item.value }
        }
    }

    /// What is shown of a rule, the gravest first.
    package func evidence(of rule: AuditRule) -> [FoundViolation] {
        rule.severities.flatMap { evidence[FoundRule(rule, $0)] ?? [] }
    }

    // MARK: Judging

    /// Judges one user, device by device.
    package func absorb(_ record: UserRecord) {
        var judged = JudgedUser()
        var events: [OperationEvent] = []
        for (place, device) in record.devices.enumerated() {
            let origin = SampleOrigin(entry: record.entry, device: place + 1)
            let findings = auditor.audit(device.input)
            let story = auditor.story
            Measures(story, of: origin, warmUp: plan.warmUp, into: tally).measure(
                wasBrokenOff: record.totals.interruptedIterations > 0, failures: device.requestFailures)
            chargesToDeliver += device.input.statement.transactions.count { $0.isCharged && !$0.isOfThePast }
            // Of one user alone it says too little.
            if plan.onlyUser == nil { attempts += story.attempts }
            keep(findings, record.user, origin, cell: record.cell)
            if plan.onlyUser == record.user { onlyUserStories.append(story) }
            judged.violations += findings.violations.count { $0.severity.isViolation }
            // Room for all of them, and no list in between: an allocation for each user would show.
            judged.purchaseDurations.reserveCapacity(judged.purchaseDurations.count + story.requests.payments.count)
            for payment in story.requests.payments {
                if let duration = payment.duration { judged.purchaseDurations.append(duration) }
            }
            if operations != nil { events += OperationReader.events(story, device: place + 1) }
            judged.crashes += device.counts.crashes
            count(device, origin)
        }
        operations?.add(
            events, user: record.user, isOnlyDevice: record.devices.count == 1, record.devices[0].input.catalog)
        count(record.totals, SampleOrigin(entry: record.entry))
        usersJudged += 1
        if record.totals.isSpinning { spinningUsers += 1 }
        journeyEnd = max(journeyEnd, record.totals.journeyEnd)
        onJudged?(judged)
    }

    /// Takes in a user whose client did not come back.
    ///
    /// - Parameter entry: the user's load entry.
    package func absorb(deathsOf user: Int, device: Int, _ input: AuditInput, cell: Int, entry: Int) {
        var findings = AuditFindings()
        findings.violations = auditor.auditDeaths(input)
        keep(findings, user, SampleOrigin(entry: entry, device: device), cell: cell)
        if plan.onlyUser == user { onlyUserStories.append(auditor.story) }
    }

    /// Everything that was judged is in the store of operations then.
    package func flushOperations() { operations?.flush() }

    package func cellEnded(_ summary: CellSummary) {
        for (entry, count) in summary.droppedIterations.enumerated() {
            tally.count(.droppedIterations, by: count, of: SampleOrigin(entry: entry))
        }
        tally.place(summary.queueWaits)
    }

    private func count(_ totals: UserTotals, _ origin: SampleOrigin) {
        tally.count(.iterations, by: totals.iterations, of: origin)
        tally.count(.interruptedIterations, by: totals.interruptedIterations, of: origin)
        tally.count(.unexpectedSteps, by: totals.unknownSteps, of: origin)
        for (passed, count) in [(true, totals.expectationsMet), (false, totals.expectationsMissed)] {
            for _ in 0..<count { tally.rate(.expectations, passed: passed, of: origin) }
        }
        for stretch in totals.active {
            tally.place(activeFrom: stretch.from.nanoseconds, to: stretch.to.nanoseconds)
        }
        for duration in totals.launchDurations {
            tally.record(.launchDuration, nanoseconds: duration.nanoseconds, of: origin)
        }
    }

    private func count(_ device: DeviceRecord, _ origin: SampleOrigin) {
        let counts = device.counts
        tally.count(.requests, by: counts.requests, of: origin)
        for kind in FaultKind.all {
            let count = counts[kind]
            if count > 0 { tally.count(.faults, tag: kind.row.tag, by: count, of: origin) }
        }
        for time in device.callbackTimes { tally.record(.observerCallbackTime, nanoseconds: time, of: origin) }
    }

    /// - Parameter findings: of the story that was audited last.
    private func keep(_ findings: AuditFindings, _ user: Int, _ origin: SampleOrigin, cell: Int) {
        if !findings.faults.isEmpty {
            faultCount += findings.faults.count
            faults += findings.faults.map { FoundFault(user: user, cell: cell, fault: $0) }
            faults.sort { $0.user < $1.user }
            if faults.count > Self.faultsKept { faults.removeLast(faults.count - Self.faultsKept) }
        }
        for violation in findings.violations {
            let found = violation.found
            counts[found, default: 0] += 1
            affected.note(user, found)
            if found.severity > .info { count(violation, origin) }
            show(violation, user, origin.device, cell: cell)
        }
    }

    private func count(_ violation: Violation, _ origin: SampleOrigin) {
        let metric = violation.severity.isViolation ? MetricName.violations : .warnings
        if metric == .violations { violationsOfEntries[origin.entry, default: 0] += 1 }
        var origin = origin
        origin.product = violation.product ?? -1
        origin.begunAt = violation.at.nanoseconds
        tally.count(metric, tag: violation.rule.rawValue, of: origin)
        if metric.row.plot == nil { return }
        let settling = auditor.story.launches.settling
        if settling.map({ violation.at < $0.at }) ?? true {
            tally.place(metric, at: violation.at.nanoseconds)
        }
    }

    private func show(_ violation: Violation, _ user: Int, _ device: Int, cell: Int) {
        let found = violation.found
        let kept = evidence[found] ?? []
        let cause = DeathCause(violation, auditor.story)
        if let cause {
            deaths[cause, default: 0] += 1
            // The first of each kind.
            if kept.contains(where: { $0.cause == cause && $0.user <= user }) { return }
        } else if kept.contains(where: { $0.user == user }) {
            // One violation for each user is enough: the timeline shows the rest.
            return
        }
        if kept.count >= Self.evidenceMax(of: violation.rule), let last = kept.last, user > last.user { return }
        let shown = FoundViolation(
            evidence: Evidence(violation, auditor.story), user: user, device: device, cell: cell, cause: cause)
        evidence[found] = Self.first(kept + [shown], of: violation.rule)
    }

    private static func evidenceMax(of rule: AuditRule) -> Int { rule.isOfDeath ? evidenceOfDeaths : evidencePerRule }

    /// What is shown of all that was found: the first users, and one of each kind.
    private static func first(_ found: [FoundViolation], of rule: AuditRule) -> [FoundViolation] {
        var causes: Set<DeathCause> = []
        let inOrder = found.enumerated().sorted { ($0.element.user, $0.offset) < ($1.element.user, $1.offset) }
        let shown = inOrder.map(\.element).filter { $0.cause.map { causes.insert($0).inserted } ?? true }
        return Array(shown.prefix(evidenceMax(of: rule)))
    }

    /// Turns what was there over time into levels, once everything is known.
    package func measureLevels() {
        tally.measureLevels(until: (journeyEnd - .start).nanoseconds)
    }

    /// Packs the findings and measurements since the last call, and continues in the memory that it has.
    ///
    /// - Parameter cell: the cell that was judged meanwhile. Evidence of earlier cells stays: this collector's cells
    ///   come in the order of their numbers, so that a later cell never displaces the evidence of an earlier one. Nil:
    ///   users of several cells were judged, and the collector keeps nothing.
    package func unload(cell: Int?, into packer: inout Packer) {
        tally.unload(into: &packer)
        packer.put(plain: PackedCounts(self))
        packer.put(plain: counts.map { PackedCounts.Rule($0.key, $0.value) })
        affected.unload(into: &packer)
        packer.put(plain: violationsOfEntries.map { PackedCounts.Entry($0.key, $0.value) })
        packer.put(deaths.count)
        for (cause, count) in deaths { packer.put(cause, count) }
        packer.put(plain: faults)
        let shown = evidence.values.joined().filter { cell == nil || $0.cell == cell }
        if cell == nil { evidence = [:] }
        packer.put(shown.count)
        for found in shown { packer.put(found) }
        packer.put(onlyUserStories.count)
        for story in onlyUserStories { packer.put(story.input) }
        usersJudged = 0
        chargesToDeliver = 0
        attempts = AttemptsByKind()
        spinningUsers = 0
        counts.removeAll(keepingCapacity: true)
        violationsOfEntries.removeAll(keepingCapacity: true)
        deaths.removeAll(keepingCapacity: true)
        (faults, faultCount) = ([], 0)
        onlyUserStories = []
    }

    /// As if this collector had judged the users of whom another one of the same run has packed what was found.
    package func load(_ unpacker: inout Unpacker, _ catalog: Catalog) throws(TornValue) {
        let other = Collector(plan, tally: tally)
        try tally.load(&unpacker)
        let packed = try unpacker.plain(PackedCounts.self)
        (other.usersJudged, other.chargesToDeliver) = (packed.usersJudged, packed.chargesToDeliver)
        (other.attempts, other.spinningUsers) = (packed.attempts, packed.spinningUsers)
        (other.journeyEnd, other.faultCount) = (packed.journeyEnd, packed.faultCount)
        for rule in try unpacker.plains(PackedCounts.Rule.self) { other.counts[rule.rule] = rule.count }
        other.affected = try AffectedUsers(&unpacker)
        for entry in try unpacker.plains(PackedCounts.Entry.self) {
            other.violationsOfEntries[entry.place] = entry.count
        }
        for _ in 0..<(try unpacker.count()) {
            let (cause, count) = try unpacker.deathCause()
            other.deaths[cause] = count
        }
        other.faults = try unpacker.plains(FoundFault.self)
        for _ in 0..<(try unpacker.count()) {
            let found = try FoundViolation(&unpacker, catalog)
            other.evidence[found.evidence.violation.found, default: []].append(found)
        }
        for _ in 0..<(try unpacker.count()) {
            other.onlyUserStories.append(UserStory(of: try AuditInput(&unpacker, catalog)))
        }
        mergeFindings(other)
    }

    /// As if this collector had judged the other's users too.
    package func merge(_ other: Collector) {
        tally.merge(other.tally)
        mergeFindings(other)
    }

    /// All but the tally.
    private func mergeFindings(_ other: Collector) {
        usersJudged += other.usersJudged
        chargesToDeliver += other.chargesToDeliver
        attempts += other.attempts
        spinningUsers += other.spinningUsers
        journeyEnd = max(journeyEnd, other.journeyEnd)
        for (rule, count) in other.counts { counts[rule, default: 0] += count }
        affected.merge(other.affected)
        for (entry, count) in other.violationsOfEntries { violationsOfEntries[entry, default: 0] += count }
        for (cause, count) in other.deaths { deaths[cause, default: 0] += count }
        faultCount += other.faultCount
        faults = Array((faults + other.faults).sorted { $0.user < $1.user }.prefix(Self.faultsKept))
        for (rule, shown) in other.evidence {
            evidence[rule] = Self.first((evidence[rule] ?? []) + shown, of: rule.rule)
        }
        if onlyUserStories.isEmpty { onlyUserStories = other.onlyUserStories }
    }
}

/// What the progress of a run shows of a user that has been judged.
package struct JudgedUser: Sendable {
    package var violations = 0
    package var crashes = 0
    /// In nanoseconds.
    package var purchaseDurations: [Int64] = []
}

/// A violation, and where.
package struct FoundViolation: Sendable {
    package let evidence: Evidence
    package let user: Int
    /// Which of the user's devices, counted from 1.
    package let device: Int
    package let cell: Int
    /// The cause that it shares with other violations; nil if it is reported by itself.
    package let cause: DeathCause?
}

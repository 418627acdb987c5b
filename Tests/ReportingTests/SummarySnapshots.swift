// What the summary of each sample looks like. To record anew, paste what the failing test shows.

enum SummarySnapshots {
    static let passed = """
        ✓ PASSED  Restore storm after an update                              exit code 0
          iap-manager · seed 42 · virtual clock · 100_000 users · 10m00s simulated

        THRESHOLDS
          ✓ violations count == 0                            0
          ✓ purchase_duration p(95) < 6s                     5.21s
          ✓ memory_per_user max < 8KiB                       4.2KiB (this machine)

        METRICS
                                         avg     min     med     p95     p99     max
          finish_duration...........  6.18ms  12.3µs  6.17ms  11.7ms  12.2ms  12.3ms
          purchase_duration.........   2.65s   5.3ms   2.65s   5.04s   5.25s    5.3s
            service.................    2.5s     5ms    2.5s   4.75s   4.95s      5s
          faults....................       1_231     2.05/s
            answer_lost.............       1_200
            crash...................          31
          purchases.................      12_345     20.6/s
          violations................           0        0/s
          purchase_success..........      99.20%  992 of 1_000

        METRICS OF THIS MACHINE
                                         avg     min     med     p95     p99     max
          observer_callback_time....  15.5µs    31ns  15.5µs  29.5µs  30.7µs    31µs
          memory_resident...........      100MiB  min 100MiB  max 120MiB

        MACHINE
          2 workers on 2 cores · 12.3s real time · 31_000 purchases/s · peak 120MiB

        NOTES
          The client left its queue once; results may not be reproducible.

        REPORT
          Reports/restore-storm-iap-manager-42
        """

    static let failed = """
        ✗ FAILED  Restore storm after an update                            exit code 109
          iap-manager · seed 42 · virtual clock · 100_000 users · 10m00s simulated
          - 1 fault of the harness
          - 1_234 violations of 2 rules
          - the threshold restore_duration p(95) < 6s failed

        HARNESS FAULTS  (bugs of Stampede, not of the client)
          cell 3: transaction 77 went from finished to purchased at 00:00:04.100

        VIOLATIONS  1_234
          critical  lost-purchase                         34
            charged 0.99 for extra_lives at 00:03:12.480, observer told at 00:03:12.611,
            app crashed before the write, relaunched at 00:03:20.000, transaction
            redelivered to an observer that finished it.
            #1 user 4711 device 1 process 3 transaction 1000000042 cell 2
            replay: stampede replay Reports/latest --violation 1
              1  00:01:04.160  app: launch
              2  00:02:08.320  store: charged 0.99 for com.appcoda.fakegame.extra_lives,
                               answer lost
              3  00:03:12.480  app: launch
          warning   cancel-as-error                    1_200
            charged 0.99 for extra_lives at 00:03:12.480, observer told at 00:03:12.611,
            app crashed before the write, relaunched at 00:03:20.000, transaction
            redelivered to an observer that finished it.
            #3 user 4711 device 1 process 3 transaction 1000000042 cell 2
            replay: stampede replay Reports/latest --violation 3
               1  00:01:04.160  app: launch
               2  00:02:08.320  store: charged 0.99 for
                                com.appcoda.fakegame.extra_lives, answer lost
               3  00:03:12.480  app: launch
               4  00:04:16.640  app: launch
               5  00:05:20.800  store: charged 0.99 for
                                com.appcoda.fakegame.extra_lives, answer lost
              … 16 more in report.json …
              22  00:23:31.520  app: launch
              23  00:24:35.680  store: charged 0.99 for
                                com.appcoda.fakegame.extra_lives, answer lost
              24  00:25:39.840  app: launch
              25  00:26:44.000  app: launch
              26  00:27:48.160  store: charged 0.99 for
                                com.appcoda.fakegame.extra_lives, answer lost
              27  00:28:52.320  app: launch
              28  00:29:56.480  app: launch
              29  00:31:00.640  store: charged 0.99 for
                                com.appcoda.fakegame.extra_lives, answer lost
              30  00:32:04.800  app: launch
              31  00:33:08.960  app: launch
              32  00:34:13.120  store: charged 0.99 for
                                com.appcoda.fakegame.extra_lives, answer lost
              33  00:35:17.280  app: launch
              34  00:36:21.440  app: launch
              35  00:37:25.600  store: charged 0.99 for
                                com.appcoda.fakegame.extra_lives, answer lost
              36  00:38:29.760  app: launch
              37  00:39:33.920  app: launch
              38  00:40:38.080  store: charged 0.99 for
                                com.appcoda.fakegame.extra_lives, answer lost
              39  00:41:42.240  app: launch
              40  00:42:46.400  app: launch

        THRESHOLDS
          ✗ restore_duration p(95) < 6s                      6.21s
          ✓ violations count == 0                            0
          ✓ purchase_duration p(95) < 6s                     5.21s
          ✓ memory_per_user max < 8KiB                       4.2KiB (this machine)

        METRICS
                                         avg     min     med     p95     p99     max
          finish_duration...........  6.18ms  12.3µs  6.17ms  11.7ms  12.2ms  12.3ms
          purchase_duration.........   2.65s   5.3ms   2.65s   5.04s   5.25s    5.3s
            service.................    2.5s     5ms    2.5s   4.75s   4.95s      5s
          faults....................       1_231     2.05/s
            answer_lost.............       1_200
            crash...................          31
          purchases.................      12_345     20.6/s
          violations................           0        0/s
          purchase_success..........      99.20%  992 of 1_000

        METRICS OF THIS MACHINE
                                         avg     min     med     p95     p99     max
          observer_callback_time....  15.5µs    31ns  15.5µs  29.5µs  30.7µs    31µs
          memory_resident...........      100MiB  min 100MiB  max 120MiB

        MACHINE
          2 workers on 2 cores · 12.3s real time · 31_000 purchases/s · peak 120MiB

        NOTES
          The client left its queue once; results may not be reproducible.

        REPORT
          Reports/restore-storm-iap-manager-42
        """

    static let unknown = """
        ? UNKNOWN  Restore storm after an update                           exit code 111
          iap-manager · seed 42 · virtual clock · 100_000 users · 10m00s simulated
          - a threshold had nothing to judge

        THRESHOLDS
          ? restore_duration p(99.9) < 30s                   not measured
          ✓ violations{rule:lost-purchase} count == 0        0

        MACHINE
          2 workers on 2 cores · 12.3s real time · 31_000 purchases/s · peak 120MiB

        REPORT
          Reports/restore-storm-iap-manager-42
        """
}

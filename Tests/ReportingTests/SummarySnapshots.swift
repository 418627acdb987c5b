// What the summary of each sample looks like. To record anew, paste what the failing test shows, once it has been read.

enum SummarySnapshots {
    static let passed = """
        ✓ PASSED  Two outages                                                exit code 0
          reference · seed 42 · virtual clock · 32 users · 1m25s simulated

        THRESHOLDS
          ✓ violations count == 0                            0
          ✓ purchase_duration p(95) < 6s                     2.05s
          ✓ purchase_success{phase:late} rate > 50%          75.00%
          ✓ observer_callback_time p(95) < 1s                29.5µs (this machine)

        METRICS
                                         avg     min     med     p95     p99     max
          answer_delay..............   519ms      0s      0s   2.83s   2.98s   2.98s
          authorization_duration....   842ms   202ms   900ms   1.42s   1.49s   1.49s
          delivery_duration.........   954ms      0s   261ms    2.9s   2.98s   2.98s
          finish_duration...........   193ms  22.5ms   144ms   482ms   572ms   572ms
          goods_duration............   2.91s   874ms   3.21s    5.1s   6.68s   6.68s
          products_fetch_duration...   137ms  29.5ms   106ms   366ms   517ms   517ms
          purchase_deciding.........   842ms   202ms   900ms   1.42s   1.49s   1.49s
          purchase_duration.........   1.13s   357ms   1.13s   2.05s   3.38s   3.38s
            success.................   1.07s   357ms   1.11s   2.05s   2.69s   2.69s
            failure.................   2.33s   1.28s   1.28s   3.38s   3.38s   3.38s
          purchase_processing.......      0s      0s      0s      0s      0s      0s
          purchase_receiving........   197ms  13.2ms  82.9ms   419ms   2.06s   2.06s
          purchase_sending..........  92.7ms  8.23ms  61.5ms   299ms   596ms   596ms
          redelivery_delay..........  7.37ms      0s      0s   118ms   118ms   118ms
          restore_duration..........   932ms   390ms   739ms   1.47s   1.47s   1.47s
          validation_duration.......   1.15s  72.4ms   300ms   2.96s   3.11s   3.11s
          crashes...................          27     0.32/s
          deliveries................          66     0.77/s
          dropped_iterations........           0        0/s
          faults....................          32     0.37/s
            crash...................          27
            lost_answer.............           5
          interrupted_iterations....           0        0/s
          iterations................          60      0.7/s
          launches..................         120      1.4/s
          products_fetches..........          40     0.47/s
          purchases.................          41     0.48/s
          purchases_failed..........           2     0.02/s
            URLError.timedOut 1, paymentCancelled 1; by stage deciding 1, receiving 1
          redeliveries..............          16     0.19/s
          requests..................         284     3.32/s
          requests_failed...........          44     0.51/s
          restores..................          20     0.23/s
          unexpected_steps..........          26      0.3/s
          violations................           0        0/s
          warnings..................           0        0/s
          purchase_success..........      52.63%  30 of 57
          restore_success...........      80.00%  16 of 20
          users_active..............           2  emptiest interval 0  fullest 10

        SUB-METRICS
          purchase_success{phase:late}
            ........................      75.00%  15 of 20

        METRICS OF THIS MACHINE
                                         avg     min     med     p95     p99     max
          observer_callback_time....  15.5µs    31ns  15.5µs  29.5µs  30.7µs    31µs
          allocations_per_purchase..         250
          memory_per_user...........      4.2KiB
          memory_resident...........      100MiB  min 100MiB  max 120MiB

        MACHINE
          2 workers on 2 cores · 12.3s real time · 31,000 purchases/s · peak 120MiB

        NOTES
          Warm-up: durations and success rates leave out everything that started in the
          first 1s.

        REPORT
          Reports/two-outages-reference-42

        ✓ PASSED 41 purchases, none lost or doubled · p95 2.05s · 31,000 purchases/s
        """

    static let failed = """
        ✗ FAILED  Redelivery at launch                                     exit code 110
          iap-manager · seed 1 · virtual clock · 10 users · 4.44s simulated
          - violations: count == 0 does not hold: it is 12
          - purchase_duration: p(95) < 1s does not hold: it is 1.24s

        VIOLATIONS  12
          critical  lost-purchase                          2
            extra_lives was bought before the run and left unfinished; StoreKit
            delivered it in launch 1 at 00:00:00.091, while no request for it was
            pending; the app finished it at 00:00:00.091 without granting it; 0 of 3
            goods (each purchase brings 3) are held at the end
            #1 user 1 device 1 process 1 transaction 100000000000001 cell 0
            replay: stampede run Scenarios/launch-redelivery.yml --seed 1 --clock virtual --client iap-manager --users 10 --only-user 1
            ›  1  00:00:00.000  App Store: before the run, extra_lives was bought and
                                not finished (transaction 100000000000001)
               2  00:00:00.000  launch 1 begins
               3  00:00:00.000  an observer is added
               4  00:00:00.000  launch returns, and the app listens to StoreKit
            ›  5  00:00:00.091  the store reports unfinished transaction 100000000000001
                                to the device
            ›  7  00:00:00.091  StoreKit delivers transaction 100000000000001
                                (extra_lives): purchased
            ›  8  00:00:00.091  the app finishes transaction 100000000000001
                                (extra_lives)
               9  00:00:00.121  App Store: notes transaction 100000000000001 as finished
              10  00:00:00.162  StoreKit reports: transaction 100000000000001
                                (extra_lives) was removed from the queue
              11  00:00:00.926  the user buys 1 × superpowers (request 1)
              12  00:00:00.926  the app starts a products request
              13  00:00:01.143  StoreKit reports: 3 products found
              14  00:00:01.143  the app adds payment 1 for 1 × superpowers
              15  00:00:01.143  StoreKit delivers payment 1 (superpowers): purchasing
              16  00:00:01.236  App Store: shows the payment sheet for superpowers
              17  00:00:01.642  App Store: charges 1.99 USD for 1 × superpowers
                                (transaction 100000000000008)
              19  00:00:01.679  StoreKit delivers transaction 100000000000008
                                (superpowers): purchased
              20  00:00:01.679  the app finishes transaction 100000000000008
                                (superpowers)
              21  00:00:01.679  the app writes the file "GameData.plist"
              22  00:00:01.679  goods of superpowers held durably: 2
              … 9 more in report.json …
              32  00:00:02.178  the system announces that it will terminate the app
              33  00:00:02.178  an observer is removed, 0 left
              35  00:00:02.178  the app is terminated
              … 2 launches without a part in this …
          error     finished-before-delivery              10
            the store charged 1.99 USD for superpowers at 00:00:01.789; StoreKit
            delivered it at 00:00:01.813; the app finished it at 00:00:01.813 without
            granting it; the goods were stored only afterwards: a crash before that
            would have lost them
            #3 user 0 device 1 process 1 transaction 100000000000009 cell 0
            replay: stampede run Scenarios/launch-redelivery.yml --seed 1 --clock virtual --client iap-manager --users 10 --only-user 0
               1  00:00:00.000  launch 1 begins
               2  00:00:00.000  an observer is added
               3  00:00:00.000  launch returns, and the app listens to StoreKit
            ›  4  00:00:00.975  the user buys 1 × superpowers (request 1)
               5  00:00:00.975  the app starts a products request
               6  00:00:01.019  StoreKit reports: 3 products found
            ›  7  00:00:01.019  the app adds payment 1 for 1 × superpowers
            ›  8  00:00:01.019  StoreKit delivers payment 1 (superpowers): purchasing
               9  00:00:01.192  App Store: shows the payment sheet for superpowers
            › 10  00:00:01.789  App Store: charges 1.99 USD for 1 × superpowers
                                (transaction 100000000000009)
            › 12  00:00:01.813  StoreKit delivers transaction 100000000000009
                                (superpowers): purchased
            › 13  00:00:01.813  the app finishes transaction 100000000000009
                                (superpowers)
            › 14  00:00:01.813  the app writes the file "GameData.plist"
            › 15  00:00:01.813  goods of superpowers held durably: 2
            › 16  00:00:01.813  the app answers request 1: purchased
              17  00:00:01.839  App Store: notes transaction 100000000000009 as finished
              … 2 more in report.json …
            › 20  00:00:02.707  goods of superpowers held durably: 1
              … 2 more in report.json …
            › 23  00:00:02.707  goods of superpowers held durably: 0
              24  00:00:02.707  the user uses 1 of the goods of superpowers
              25  00:00:02.707  the system announces that it will terminate the app
              26  00:00:02.707  an observer is removed, 0 left
              29  00:00:02.707  the app is terminated
              … 2 launches without a part in this …

        THRESHOLDS
          ✗ violations count == 0                            12
          ✗ purchase_duration p(95) < 1s                     1.24s
          ? redeliveries count > 2                           not judged (too few users)
          ? faults{kind:crash} count > 0                     not judged (too few users)
          ✓ redelivery_delay p(95) < 3s                      91.2ms

        METRICS
                                         avg     min     med     p95     p99     max
          answer_delay..............      0s      0s      0s      0s      0s      0s
          authorization_duration....   620ms   406ms   525ms   1.06s   1.06s   1.06s
          delivery_duration.........      0s      0s      0s      0s      0s      0s
          finish_duration...........   148ms  24.2ms  89.8ms   318ms   318ms   318ms
          goods_duration............   877ms   678ms   838ms   1.28s   1.28s   1.28s
          purchase_deciding.........   620ms   406ms   525ms   1.06s   1.06s   1.06s
          purchase_duration.........   753ms   535ms   708ms   1.24s   1.24s   1.24s
          purchase_processing.......      0s      0s      0s      0s      0s      0s
          purchase_receiving........  39.2ms  12.2ms    27ms   109ms   109ms   109ms
          purchase_sending..........  93.1ms  18.8ms  92.9ms   173ms   173ms   173ms
          redelivery_delay..........  66.9ms  42.6ms  42.6ms  91.2ms  91.2ms  91.2ms
          crashes...................           0        0/s
          deliveries................          12      2.7/s
          dropped_iterations........           0        0/s
          faults....................           0        0/s
          interrupted_iterations....           0        0/s
          iterations................          10     2.25/s
          launches..................          30     6.75/s
          products_fetches..........           0        0/s
          purchases.................          10     2.25/s
          purchases_failed..........           0        0/s
          redeliveries..............           2     0.45/s
          requests..................          62       14/s
          requests_failed...........           0        0/s
          restores..................           0        0/s
          unexpected_steps..........           0        0/s
          violations................          12      2.7/s
            finished-before-delivery
            ........................          10
            lost-purchase...........           2
          warnings..................           0        0/s
          purchase_success..........        100%  10 of 10
          users_active..............        8.16  emptiest interval 1  fullest 10

        SUB-METRICS
          faults{kind:crash}........           0        0/s

        METRICS OF THIS MACHINE
                                         avg     min     med     p95     p99     max
          observer_callback_time....  15.5µs    31ns  15.5µs  29.5µs  30.7µs    31µs
          allocations_per_purchase..         250
          memory_per_user...........      4.2KiB
          memory_resident...........      100MiB  min 100MiB  max 120MiB

        MACHINE
          2 workers on 2 cores · 12.3s real time · 31,000 purchases/s · peak 120MiB

        NOTES
          Thresholds on counts are scaled to the 10 users of this run from the 5,000
          users of the scenario; not judged (too few users): redeliveries count > 2,
          faults{kind:crash} count > 0.

        REPORT
          Reports/launch-redelivery-iap-manager-1

        ✗ FAILED 2 of 12 purchases lost (critical), 10 × finished-before-delivery
        (error); 10 users affected · p95 1.24s · 31,000 purchases/s
          next: stampede replay Reports/launch-redelivery-iap-manager-1
        """

    static let unknown = """
        ? UNKNOWN  Purchase flow                                           exit code 111
          reference · seed 1 · virtual clock · 10 users · 7.85s simulated
          - restore_duration: p(99.9) < 30s had nothing to judge

        THRESHOLDS
          ? restore_duration p(99.9) < 30s                   not measured
          ? purchases count > 0                              not judged (too few users)
          ? purchases_failed count > 0                       not judged (too few users)
          ✓ violations count == 0                            0
          ✓ purchase_duration med < 2s                       812ms
          ✓ purchase_duration p(95) < 5s                     2.03s
          ✓ delivery_duration p(99) < 1s                     0s
          ✓ violations{rule:lost-purchase} count == 0        0

        METRICS
                                         avg     min     med     p95     p99     max
          answer_delay..............      0s      0s      0s      0s      0s      0s
          authorization_duration....   1.07s   521ms      1s   1.97s    2.6s    2.6s
          delivery_duration.........      0s      0s      0s      0s      0s      0s
          finish_duration...........   117ms  24.2ms  92.1ms   318ms   398ms   398ms
          goods_duration............   1.19s   618ms   1.11s   2.03s   2.68s   2.68s
          products_fetch_duration...   116ms  40.3ms  92.2ms   212ms   312ms   312ms
          purchase_deciding.........   746ms      0s   764ms   1.97s    2.6s    2.6s
          purchase_duration.........   886ms  55.9ms   812ms   2.03s   2.68s   2.68s
            success.................   933ms  55.9ms   932ms   2.03s   2.68s   2.68s
            failure.................   597ms   117ms   231ms   1.28s   1.28s   1.28s
          purchase_processing.......      0s      0s      0s      0s      0s      0s
          purchase_receiving........  67.7ms  10.2ms  35.3ms   223ms   358ms   358ms
          purchase_sending..........    72ms  14.9ms  42.3ms   212ms   222ms   222ms
          crashes...................           0        0/s
          deliveries................          31     3.95/s
          dropped_iterations........           0        0/s
          faults....................           0        0/s
          interrupted_iterations....           0        0/s
          iterations................          20     2.55/s
          launches..................          30     3.82/s
          products_fetches..........          20     2.55/s
          purchases.................          23     2.93/s
          purchases_failed..........           5     0.64/s
            paymentInvalid 3, paymentCancelled 2; by stage processing 3, deciding 2
          redeliveries..............           0        0/s
          requests..................         119     15.2/s
          requests_failed...........           3     0.38/s
          restores..................           0        0/s
          unexpected_steps..........           0        0/s
          violations................           0        0/s
          warnings..................           0        0/s
          purchase_success..........      77.50%  31 of 40
          users_active..............         6.4  emptiest interval 1  fullest 10

        SUB-METRICS
          violations{rule:lost-purchase}
            ........................           0        0/s

        METRICS OF THIS MACHINE
                                         avg     min     med     p95     p99     max
          observer_callback_time....  15.5µs    31ns  15.5µs  29.5µs  30.7µs    31µs
          allocations_per_purchase..         250
          memory_per_user...........      4.2KiB
          memory_resident...........      100MiB  min 100MiB  max 120MiB

        MACHINE
          2 workers on 2 cores · 12.3s real time · 31,000 purchases/s · peak 120MiB

        NOTES
          Thresholds on counts are scaled to the 10 users of this run from the 5,000
          users of the scenario; not judged (too few users): purchases count > 0,
          purchases_failed count > 0.

        REPORT
          Reports/purchase-flow-reference-1

        ? UNKNOWN restore_duration: p(99.9) < 30s had nothing to judge · p95 2.03s ·
        31,000 purchases/s
        """

    /// The metrics alone.
    static let figures = """
        METRICS
                                         avg     min     med     p95     p99     max
          finish_duration...........  6.18ms  12.3µs  6.17ms  11.7ms  12.2ms  12.3ms
          purchase_duration.........   2.65s   5.3ms   2.65s   5.04s   5.25s    5.3s
            service.................    2.5s     5ms    2.5s   4.75s   4.95s      5s
            success.................   2.65s   5.3ms   2.65s   5.04s   5.25s   5.29s
            failure.................    2.7s   106ms   2.65s   5.09s    5.3s    5.3s
            and 1,000 answered at once
          faults....................       1,231      157/s
            answer_lost.............       1,200
            crash...................          31
          purchases.................      12,345    1,573/s
          purchases_failed..........          50     6.37/s
            paymentCancelled 24, none 13, unknown 13; by stage deciding 34, processing
            16
          violations................           0        0/s
          purchase_success..........      99.20%  992 of 1,000
        """
}

// What the summary of a run with faults of every kind looks like.

extension SummarySnapshots {
    static let broken = """
        ✗ ERROR  One purchase                                              exit code 109
          purchase-helper · seed 1 · virtual clock · 3 users · 1.17s simulated
          - 3 broken invariants of the simulation: transaction 100000000000002 was
            charged 2 times (user 0)
          - violations: count == 0 does not hold: it is 3

        FAULTS OF STAMPEDE, NOT OF THE CLIENT
          transaction 100000000000002 was charged 2 times (user 0, cell 0): stampede run
          Scenarios/one-purchase.yml --seed 1 --clock virtual --client purchase-helper
          --only-user 0
          transaction 100000000000001 was charged 2 times (user 1, cell 0): stampede run
          Scenarios/one-purchase.yml --seed 1 --clock virtual --client purchase-helper
          --only-user 1
          transaction 100000000000003 was charged 2 times (user 2, cell 0): stampede run
          Scenarios/one-purchase.yml --seed 1 --clock virtual --client purchase-helper
          --only-user 2
          Please report it, with `report.json` (which contains the scenario, its catalog
          and the seed), the output of `stampede --version`, and the client's code if
          you can share it. The findings about your client may be wrong.

        VIOLATIONS  3
          error     finished-before-delivery               3
            the store charged 2.99 USD for unlock_maps at 00:00:00.974; StoreKit
            delivered it at 00:00:00.997; the app finished it at 00:00:00.997 without
            granting it; the goods were stored only afterwards: a crash before that
            would have lost them
            #1 user 0 device 1 process 1 transaction 100000000000002 cell 0
            replay: stampede run Scenarios/one-purchase.yml --seed 1 --clock virtual --client purchase-helper --only-user 0
               1  00:00:00.000  launch 1 begins
            ›  2  00:00:00.000  the user buys 1 × unlock_maps (request 1)
               3  00:00:00.000  the app starts a products request
               4  00:00:00.000  launch returns, and the app does not listen to StoreKit
               5  00:00:00.055  StoreKit reports: 1 product found
               6  00:00:00.055  an observer is added
            ›  7  00:00:00.055  the app adds payment 1 for 1 × unlock_maps
            ›  8  00:00:00.055  StoreKit delivers payment 1 (unlock_maps): purchasing
               9  00:00:00.227  App Store: shows the payment sheet for unlock_maps
            › 10  00:00:00.974  App Store: charges 2.99 USD for 1 × unlock_maps
                                (transaction 100000000000002)
            › 12  00:00:00.997  StoreKit delivers transaction 100000000000002
                                (unlock_maps): purchased
            › 13  00:00:00.997  the app finishes transaction 100000000000002
                                (unlock_maps)
            › 14  00:00:00.997  the app writes "isPurchased"
            › 15  00:00:00.997  goods of unlock_maps held durably: 1
            › 16  00:00:00.997  the app answers request 1: purchased
            › 17  00:00:00.997  the system announces that it will terminate the app
            › 20  00:00:00.997  the app is terminated
            › 21  00:00:00.997  the run is over: the network works again, and the app is
                                relaunched
              … 1 launch without a part in this …

        WARNINGS  6
          warning   unobserved-launch                      6
            launch 1 returned at 00:00:00.000 without an observer on the queue
            #4 user 0 device 1 process 1 cell 0
            replay: stampede run Scenarios/one-purchase.yml --seed 1 --clock virtual --client purchase-helper --only-user 0

        THRESHOLDS
          ✗ violations count == 0                            3
          ✓ purchase_duration p(95) < 5s                     943ms

        METRICS
                                         avg     min     med     p95     p99     max
          answer_delay..............      0s      0s      0s      0s      0s      0s
          authorization_duration....   632ms   508ms   642ms   746ms   746ms   746ms
          delivery_duration.........      0s      0s      0s      0s      0s      0s
          goods_duration............   996ms   816ms   998ms   1.17s   1.17s   1.17s
          purchase_deciding.........   632ms   508ms   642ms   746ms   746ms   746ms
          purchase_duration.........   800ms   725ms   732ms   943ms   943ms   943ms
          purchase_processing.......      0s      0s      0s      0s      0s      0s
          purchase_receiving........  98.9ms  23.9ms  70.7ms   202ms   202ms   202ms
          purchase_sending..........  68.8ms    15ms  18.8ms   173ms   173ms   173ms
          crashes...................           0        0/s
          deliveries................           3     2.55/s
          dropped_iterations........           0        0/s
          faults....................           0        0/s
          interrupted_iterations....           0        0/s
          iterations................           3     2.55/s
          launches..................           6     5.11/s
          products_fetches..........           0        0/s
          purchases.................           3     2.55/s
          purchases_failed..........           0        0/s
          redeliveries..............           0        0/s
          requests..................          15     12.8/s
          requests_failed...........           0        0/s
          restores..................           0        0/s
          unexpected_steps..........           0        0/s
          violations................           3     2.55/s
            finished-before-delivery
            ........................           3
          warnings..................           6     5.11/s
            unobserved-launch.......           6
          purchase_success..........        100%  3 of 3
          users_active..............        2.54  emptiest interval 1  fullest 3

        METRICS OF THIS MACHINE
                                         avg     min     med     p95     p99     max
          observer_callback_time....  15.5µs    31ns  15.5µs  29.5µs  30.7µs    31µs
          allocations_per_purchase..         250
          memory_per_user...........      4.2KiB
          memory_resident...........      100MiB  min 100MiB  max 120MiB

        MACHINE
          2 workers on 2 cores · 12.3s real time · 31,000 purchases/s · peak 120MiB

        NOTES
          observer-left, 3 times: the app did not remove an observer before it was
          terminated

        REPORT
          Reports/one-purchase-purchase-helper-1

        ✗ ERROR 3 × finished-before-delivery (error); 3 users affected · p95 943ms ·
        31,000 purchases/s
          next: stampede replay Reports/one-purchase-purchase-helper-1
        """
}

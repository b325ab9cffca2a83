/** What sysbench 1.0 prints, with a line for each of `seconds` seconds at 500 transactions. */
export function sysbenchText(seconds = 10): string {
  const interval = Array.from(
    { length: seconds },
    (_, index) =>
      `[ ${index + 1}s ] thds: 8 tps: 500.00 qps: 10000.00 (r/w/o: 7000.00/2000.00/1000.00) ` +
      'lat (ms,99%): 31.94 err/s: 0.00 reconn/s: 0.00',
  );
  const transactions = 500 * seconds;
  return `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 8
Report intermediate results every 1 second(s)
Initializing random number generator from current time


Initializing worker threads...

Threads started!

${interval.join('\n')}
SQL statistics:
    queries performed:
        read:                            ${14 * transactions}
        write:                           ${4 * transactions}
        other:                           ${2 * transactions}
        total:                           ${20 * transactions}
    transactions:                        ${transactions}  (500.00 per sec.)
    queries:                             ${20 * transactions} (10000.00 per sec.)
    ignored errors:                      3      (0.30 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          ${seconds}.0000s
    total number of events:              ${transactions}

Latency (ms):
         min:                                    6.71
         avg:                                   16.00
         max:                                   98.12
         99th percentile:                       31.94
         sum:                                ${16 * transactions}.00

Threads fairness:
    events (avg/stddev):           ${transactions / 8}.0000/10.53
    execution time (avg/stddev):   ${seconds}.0000/0.00
`;
}

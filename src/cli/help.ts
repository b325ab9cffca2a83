/** What `--help` prints. */
export const HELP = `Whalemark tells what Docker costs your MySQL.

  whalemark doctor [--json]              which runtimes were found, and the one in use
  whalemark presets [--json]             built-in presets and your own
  whalemark presets show ID | export ID FILE [--force] | import FILE | duplicate ID NEWID | remove ID
  whalemark plan PRESET|FILE [options]   what would run, for how long, with what
  whalemark run PRESET|FILE [options]    run it
  whalemark continue RUN [options]       measure what a run that ended early has left: --dsn, --consent, --context,
                                         --out, --force and --json as for run; RUN is its id
  whalemark analyse RESULT [--json]      read a result file again
  whalemark report RESULT --format csv|windows-csv|json|html|md|png [--out FILE [--force]]
                                         [--language en|zh-CN] [--include KIND,…]   names, paths and addresses are left out
  whalemark history [--search TEXT] [--tag TAG] [--json]  every run and import kept on this machine
  whalemark compare A B [more] [--json]  result files or ids of runs side by side, the others with the first
  whalemark import FILE|- [--name TEXT] [--json]   read what sysbench printed, and keep it
  whalemark clean [--datasets] [--all [--yes]] [--context NAME] [--json]
                                         remove what dead runs left behind; with --datasets the tables kept
                                         between runs, too; with --all, once you agree to the list, what
                                         processes left that can't be seen from here, and unlock their runs
  whalemark diagnostics [--out FILE [--force]]
                                         what a bug report needs; names, paths, addresses and passwords
                                         are left out
  whalemark licences [--json]            what Whalemark contains, and its licences
  whalemark --help | --version           this text, also after any command, or the version (also: -h, -v)

Options of plan and run:
  --short              the preset's short form
  --rounds N           rounds           --warmup S     warm-up of each trial, seconds
  --duration S         measuring time of each trial, seconds
  --until-settled M    go on until every comparison is settled, measuring for at most M minutes
  --threads N          connections      --seed N       order of trials and random ids
  --rate N             N transactions per second, planned at random; compared by latency, not throughput
  --ramp N,N,…         every scenario with each of these numbers of connections: --ramp 1,2,4,8
  --image REF          server image     --driver node|sysbench  load driver
  --option --NAME=VALUE  one more option of the server; may be given again
  --config FILE        a my.cnf of your own
  --dsn URL            an external server: mysql://user:password@host:3306. Better in WHALEMARK_DSN: others
                       can read a command line
  --consent WHAT       agree to what the plan asks for: swarm, existing-swarm, external, or host-network;
                       may be given again
  --context NAME       Docker context or runtime id (see: whalemark doctor)
  --bind-root DIR      folder in which bind mounts are made
  --fresh-dataset      load the tables anew, even where an earlier run's are kept (run)
  --set key=value      any field of the preset, for example --set workload.tableSize=100000
  --out DIR            also write result.json, summary.csv, windows.csv, card.png, report.html and
                       report.md there (run)
  --force              let --out overwrite files that exist (run, continue, report, diagnostics)
  --json               one JSON object on stdout

Exit codes: 0 done, 2 wrong usage or preset, 3 no usable runtime, 4 some trials failed
            or something could not be written, 5 nothing measured, 130 stopped by the user (what was
            measured is kept)`;

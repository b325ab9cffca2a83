import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { sharesMounts } from '../../../src/benchmark/servers/storage/free-device.ts';

// Its own process, to be run where its engine is another machine to it.
void discoverRuntimes()
  .then((report) => sharesMounts(connectRuntime(report)))
  .then((shares) => process.stdout.write(`${String(shares)}\n`));

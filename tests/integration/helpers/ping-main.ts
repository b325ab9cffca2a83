import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';

// Its own process that uses an engine once and then has nothing more to do.
void discoverRuntimes()
  .then((report) => connectRuntime(report).ping())
  .then(() => process.stdout.write('pong\n'));

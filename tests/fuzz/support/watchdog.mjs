// A thread that ends the process when one case continues for too long: a loop without an end can't be ended from inside.
// It has been told which target and seed it watches, and counts cases with the main thread.
import { writeSync } from 'node:fs';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';

/** @type {{ counter: SharedArrayBuffer, hangMs: number }} */
const { counter, hangMs } = workerData;
const cases = new Int32Array(counter);
let target = '';
let seen = -1;
let since = performance.now();
parentPort?.on('message', (message) => (target = String(message)));

setInterval(() => {
  const [now = 0] = cases;
  // 0: none is under way.
  if (now !== seen || now === 0) {
    seen = now;
    since = performance.now();
  } else if (performance.now() - since > hangMs) {
    writeSync(
      2,
      `\nFUZZ HANG: ${target} --path ${now - 1}: this case went on for more than ${hangMs / 1000} s.\n`,
    );
    process.kill(process.pid, 'SIGKILL');
  }
}, 1000).unref();

// Loaded into the process of the terminal twin (`node --import`), never part of the product: nobody can set this machine's clock for
// one program alone, nor reach into its threads from outside. A file says what is to happen: `clock MS` or `worker`.
import { readFileSync, watch } from 'node:fs';
import process from 'node:process';
import threads from 'node:worker_threads';

const file = process.env.WHALEMARK_FAULT_FILE ?? '';
const now = Date.now.bind(Date);
let shift = 0;
/** @type {Set<import('node:worker_threads').Worker>} */
const workers = new Set();

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now() + shift] : args, newTarget),
  get: (target, key, receiver) => (key === 'now' ? () => now() + shift : Reflect.get(target, key, receiver)),
});

if (threads.isMainThread) {
  threads.Worker = new Proxy(threads.Worker, {
    construct: (target, [entry, options = {}], newTarget) => {
      const execArgv = [...(options.execArgv ?? []), '--import', import.meta.filename];
      const worker = Reflect.construct(target, [entry, { ...options, execArgv }], newTarget);
      workers.add(worker);
      worker.once('exit', () => workers.delete(worker));
      return worker;
    },
  });
}

const read = () => {
  const [what, amount] = readFileSync(file, 'utf8').trim().split(' ');
  if (what === 'clock') shift = Number(amount);
  if (what === 'worker') for (const worker of workers) void worker.terminate();
};
read();
watch(file, read).unref();

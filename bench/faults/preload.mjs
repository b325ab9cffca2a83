// Loaded into the process of the terminal twin (`node --import`), never part of the product: no test can set
// this machine's clock for one program alone, nor find its load worker from outside. A file says what is to
// happen: `clock MS` or `worker`.
import { readFileSync, watch } from 'node:fs';
import process from 'node:process';

const file = process.env.WHALEMARK_FAULT_FILE ?? '';
const now = Date.now.bind(Date);
let shift = 0;

// The load client and its worker load this file, too.
process.env.NODE_OPTIONS = `--import ${import.meta.filename}`;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now() + shift] : args, newTarget),
  get: (target, key, receiver) => (key === 'now' ? () => now() + shift : Reflect.get(target, key, receiver)),
});

const read = () => {
  const [what, amount] = readFileSync(file, 'utf8').trim().split(' ');
  if (what === 'clock') shift = Number(amount);
  if (what === 'worker' && process.argv[2] === 'work') process.kill(process.pid, 'SIGKILL');
};
read();
watch(file, read).unref();

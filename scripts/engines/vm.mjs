// An engine in a virtual machine, as Lima has it: User Mode Linux is an ordinary process and needs no KVM.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { run, tail, tryRun } from '../setup/command.mjs';
import { startInRoot, untilAnswers } from './root.mjs';
import { diskFile, folder, keyFile } from './vm-disk.mjs';

const [HOST, GUEST] = ['172.31.89.1', '172.31.89.2'];
const MEMORY = '4G';
const BOOT_MS = 180_000;

/**
 * The command's temporary folder is shared under its path, next to `read-only` and `changed`, where new files
 * get another owner, as on many Macs.
 *
 * @param {import('./inside.mjs').Scratch} scratch
 * @returns {Promise<import('./inside.mjs').Engine>}
 */
export async function startVm(scratch) {
  const { run: sockets, share, work } = scratch;
  const log = `${folder()}.log`;
  writeFileSync(log, '');
  const shares = [share, join(share, '../changed'), join(share, '../read-only')];
  for (const one of shares.slice(1)) mkdirSync(one);
  await run('ip', ['tuntap', 'add', 'dev', 'tap0', 'mode', 'tap']);
  await run('ip', ['address', 'add', `${HOST}/24`, 'dev', 'tap0']);
  await run('ip', ['link', 'set', 'tap0', 'up']);
  const disk = join(work, 'disk.img');
  await run('cp', ['--sparse=always', '--reflink=auto', diskFile(), disk]);
  const exported = shares.map(
    (path) => `{ path = "${path}"${path.endsWith('only') ? ', opts = "ro"' : ''} }`,
  );
  // diod asks for the name of the user who mounts.
  writeFileSync(join(work, 'root/etc/hosts'), `${GUEST} lima-rig\n`);
  writeFileSync(join(work, 'diod.conf'), `exports = { ${exported.join(', ')} }\n`);
  const serve = ['diod', '--foreground', '--no-auth', '--no-userdb', '--listen', `${HOST}:5640`];
  const files = startInRoot(scratch, [...serve, '--config-file', join(work, 'diod.conf')], { log });
  const machine = [
    ...['linux.uml', `mem=${MEMORY}`, `ubd0=${disk}`, 'root=/dev/ubda', 'rw', 'init=/init', 'quiet'],
    ...['vec0:transport=tap,ifname=tap0,depth=128,gro=1', 'con=null', 'con0=null,fd:2', 'ssl=null'],
    `share=${share}`,
  ];
  const socket = '/run/lima/docker.sock';
  mkdirSync(join(sockets, 'lima'));
  const boot = async () => {
    const program = startInRoot(scratch, machine, { log });
    const forwarder = await forward(sockets, work, program);
    await untilAnswers(socket, program, log);
    return { program, forwarder };
  };
  let { program, forwarder } = await boot();
  return {
    socket,
    stop: async () => {
      await forwarder.stop();
      await program.stop();
      await files.stop();
      rmSync(disk);
    },
    troubles: {
      kill: () => program.kill(),
      // Only the first process is signaled: User Mode Linux panics when its others are stopped.
      suspend: async () => void program.signal('SIGSTOP'),
      resume: async () => void program.signal('SIGCONT'),
      boot: async () => {
        await forwarder.stop();
        ({ program, forwarder } = await boot());
      },
      'restart-forwarder': async () => {
        await forwarder.stop();
        forwarder = await forward(sockets, work, program);
      },
      inside: (command) => run('ssh', [...ssh(), GUEST, command]),
    },
  };
}

const ssh = () => [
  ...['-q', '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'BatchMode=yes'],
  ...['-o', 'StreamLocalBindUnlink=yes', '-o', 'ConnectTimeout=5', '-l', 'root', '-i', keyFile()],
];

/**
 * Forwards the engine's socket and the guest's reachable ports, as Lima's host agent does.
 *
 * @param {string} sockets
 * @param {string} work
 * @param {{ hasEnded(): boolean }} machine
 */
async function forward(sockets, work, machine) {
  const shared = [...ssh(), '-S', join(work, 'ssh')];
  const deadline = performance.now() + BOOT_MS;
  while ((await tryRun('ssh', [...shared, GUEST, 'true'], { timeoutMs: 20_000 })).code !== 0) {
    if (machine.hasEnded() || performance.now() > deadline) {
      throw new Error(
        `The machine doesn't start. Its log ends:\n${tail(readFileSync(`${folder()}.log`, 'utf8'), 20)}`,
      );
    }
    await delay(200);
  }
  const socket = `${sockets}/lima/docker.sock:/run/docker.sock`;
  const master = spawn('ssh', [...shared, '-M', '-N', '-L', socket, GUEST], {
    stdio: 'ignore',
    detached: true,
  });
  while ((await tryRun('ssh', [...shared, '-O', 'check', GUEST])).code !== 0) await delay(100);
  const look = 'while cat /proc/net/tcp /proc/net/tcp6; do echo; sleep 0.5; done';
  const looking = spawn('ssh', [...shared, GUEST, look], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  /** @type {Set<number>} */
  let forwarded = new Set();
  /** @type {Set<number>} */
  let seen = new Set();
  let busy = Promise.resolve();
  createInterface({ input: /** @type {import('node:stream').Readable} */ (looking.stdout) }).on(
    'line',
    (line) => {
      const port = listening(line);
      if (port !== undefined) seen.add(port);
      if (line !== '') return;
      const wanted = seen;
      seen = new Set();
      busy = busy.then(async () => {
        const change = async (/** @type {string} */ what, /** @type {number} */ one) =>
          tryRun('ssh', [...shared, '-O', what, '-L', `127.0.0.1:${one}:127.0.0.1:${one}`, GUEST]);
        for (const one of wanted) if (!forwarded.has(one)) await change('forward', one);
        for (const one of forwarded) if (!wanted.has(one)) await change('cancel', one);
        forwarded = wanted;
      });
    },
  );
  return {
    stop: async () => {
      const ended = [looking, master].map(async (one) => {
        if (one.exitCode === null && one.signalCode === null) await once(one, 'exit');
      });
      looking.kill();
      master.kill();
      await Promise.all(ended);
    },
  };
}

/**
 * Only listeners on localhost or all addresses count.
 *
 * @param {string} line
 */
function listening(line) {
  const [, address = '', port = ''] = /^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /.exec(line) ?? [];
  const number = Number.parseInt(port, 16);
  return /^(0100007F|0+)$/.test(address) && number > 1023 ? number : undefined;
}

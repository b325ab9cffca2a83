import { setTimeout as wait } from 'node:timers/promises';
import { during, effects, HOST, type Fault, type Scene } from './fault.ts';

const BIND = 'bind-mount.published-port';
const SUSPENDED_MS = 30_000;

/** One server, since it has one CPU. Names in networks need NAT, which Debian's User Mode Linux doesn't have. */
const SMALL = { paths: ['published-port'], seconds: 4 };

/** A cell takes minutes there. */
const OTHERS = { other: 'an engine on the kernel of this machine is struck then' };

const inVm = (fault: Omit<Fault, 'engine' | 'scenario' | 'preset'> & Partial<Fault>): Fault => ({
  ...{ engine: 'vm', scenario: HOST, preset: SMALL },
  ...fault,
});

function vmOf({ engine }: Scene) {
  if (engine.vm === undefined) throw new Error('needs a virtual machine');
  return engine.vm;
}

const killed = inVm({
  name: 'vm-killed',
  title: 'virtual machine killed',
  how: '`kill -9` of the machine, whose forwarded socket accepts connections and never answers; it boots again after the run',
  effect: effects(during('ENGINE_LOST', 'init', 'measure'), OTHERS),
  strike: async (scene) => {
    const { trouble } = vmOf(scene);
    await trouble('kill');
    scene.later(() => trouble('boot'));
  },
});

const suspended = inVm({
  name: 'vm-suspended',
  title: 'virtual machine suspended',
  how: `SIGSTOP of the machine for ${SUSPENDED_MS / 1000} s`,
  effect: effects({ measure: 'INTERRUPTED' }, OTHERS),
  strike: async (scene) => {
    const { trouble } = vmOf(scene);
    await trouble('suspend');
    await wait(SUSPENDED_MS);
    await trouble('resume');
  },
});

const diskFull = inVm({
  name: 'vm-disk-full',
  title: 'disk of the virtual machine full',
  how: 'a file takes all room inside the machine, and is removed after the run',
  preset: { ...SMALL, workload: 'oltp_insert', connections: 8, seconds: 10 },
  effect: effects(during('STORAGE_FULL', 'clone'), {
    other: 'what a server writes there in seconds fits in what it has allocated',
  }),
  strike: async (scene) => {
    const { inside } = vmOf(scene);
    await inside(
      'fallocate -l "$(df --output=avail -B1 / | tail -1)" /filler; cat /dev/zero >>/filler || true',
    );
    scene.later(() => inside('rm /filler'));
  },
});

const shareReadOnly = inVm({
  name: 'vm-share-read-only',
  title: 'shared folder gone read-only',
  how: 'the share is mounted again inside the machine, read-only, and writable again after the run',
  scenario: BIND,
  preset: { ...SMALL, storages: ['bind-mount'] },
  effect: effects(during('STORAGE_REFUSED', 'clone'), {
    other: 'a share with files that a server writes stays writable',
  }),
  strike: async (scene) => {
    const { inside } = vmOf(scene);
    const remount = (how: string) =>
      inside(`mount -o remount,${how} "$(findmnt -nt 9p -o TARGET | head -1)"`);
    await remount('ro');
    scene.later(() => remount('rw'));
  },
});

const outOfMemory = inVm({
  name: 'vm-out-of-memory',
  title: 'virtual machine out of memory',
  how: "the guest kernel's out-of-memory killer is called by SysRq, as it is when no page is free: it ends the largest process, the server",
  effect: effects(during('SERVER_OUT_OF_MEMORY', 'load', 'warm-up', 'measure'), {
    other: 'a server of Whalemark does not run yet, or is not the largest process',
  }),
  strike: async (scene) => void (await vmOf(scene).inside('echo f >/proc/sysrq-trigger')),
});

const clockJump = inVm({
  name: 'vm-clock-jump',
  title: 'clock of the virtual machine jumped',
  how: '`date --set` inside the machine, an hour ahead; set back after the run',
  effect: effects({ measure: 'no effect' }, OTHERS),
  strike: async (scene) => {
    const { inside } = vmOf(scene);
    await inside('date --set "+1 hour"');
    scene.later(() => inside('date --set "-1 hour"'));
  },
});

const forwarderRestarted = inVm({
  name: 'vm-forwarder-restarted',
  title: 'forwarder of the virtual machine restarted',
  how: 'the process that forwards the socket and the published ports is ended and started again',
  effect: effects({ measure: 'INTERRUPTED' }, OTHERS),
  strike: async (scene) => void (await vmOf(scene).trouble('restart-forwarder')),
});

const engineRestarted = inVm({
  name: 'vm-engine-restarted',
  title: 'engine in the virtual machine restarted',
  how: 'SIGTERM to dockerd inside the machine, which ends its containers; then it is started again',
  effect: effects({ measure: 'INTERRUPTED' }, OTHERS),
  strike: async (scene) => {
    const again = 'pkill -TERM -x dockerd; while pgrep -x dockerd >/dev/null; do sleep 0.1; done';
    await vmOf(scene).inside(`${again}; setsid dockerd >/dev/null 2>&1 </dev/null &`);
  },
});

export const VM_FAULTS: readonly Fault[] = [
  ...[killed, suspended, diskFull, shareReadOnly],
  ...[outOfMemory, clockJump, forwarderRestarted, engineRestarted],
];

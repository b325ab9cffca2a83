import { spawn } from 'node:child_process';
import { containersOf, nextEvent, running } from './engine.ts';
import { BRIDGE, during, effects, HOST, type Fault, type Scene } from './fault.ts';

const NO_SERVER = 'no server runs yet';
const MEASURED = 'all trials are measured, and what is struck is about to be removed';

/**
 * The container that does the work of a phase: the dataset's server, the helper that copies, or the server under
 * test.
 */
async function worker({ engine, phase, runId, signal }: Scene): Promise<string> {
  if (phase === 'init')
    return nextEvent(engine, { runId, role: 'dataset', event: 'start', type: 'container' }, signal);
  if (phase === 'clone')
    return nextEvent(engine, { runId, role: 'helper', event: 'start', type: 'container' }, signal);
  const [id] = await running(engine, runId, phase === 'load' ? 'dataset' : 'server');
  if (id === undefined) throw new Error('no server runs');
  return id;
}

export const serverKilled: Fault = {
  name: 'server-killed',
  title: 'server container killed',
  how: '`docker kill` of the running server; at clone, of the helper container (the engine then copies through its archive API)',
  scenario: HOST,
  effect: effects(
    {
      ...during('SERVER_EXITED', 'init', 'load', 'warm-up', 'measure'),
      // The engine's archive API copies in its place.
      clone: 'no effect',
    },
    { create: NO_SERVER, teardown: MEASURED },
  ),
  strike: async (scene) => {
    await gone(scene, scene.engine.docker('kill', await worker(scene)));
  },
};

/**
 * Takes the limit down to what the container holds, and then more memory than that within it: the kernel kills the
 * largest.
 */
const serverOom: Fault = {
  name: 'server-oom',
  title: 'server container OOM-killed',
  how: 'the memory limit is set to what the server uses, then a process in its container allocates more: the kernel kills the largest process, the server',
  scenario: HOST,
  effect: effects(during('SERVER_OUT_OF_MEMORY', 'init', 'load', 'warm-up', 'measure'), {
    create: NO_SERVER,
    clone: 'only a helper runs, and it holds too little memory to be killed for it',
    teardown: MEASURED,
  }),
  strike: async (scene) => {
    const { docker } = scene.engine;
    const id = await worker(scene);
    await gone(
      scene,
      (async () => {
        const usage = await docker('exec', id, 'cat', '/sys/fs/cgroup/memory/memory.usage_in_bytes').catch(
          () => docker('exec', id, 'cat', '/sys/fs/cgroup/memory.current'),
        );
        const limit = String(Math.max(Number(usage) + 4 * 2 ** 20, 8 * 2 ** 20));
        await docker('update', '--memory', limit, '--memory-swap', limit, id);
        scene.later(() =>
          docker('update', '--memory', '8g', '--memory-swap', '8g', id).catch(() => undefined),
        );
        // The program may be killed along with the server.
        const hungry = 'head -c 64m /dev/zero | tail >/dev/null';
        await docker('exec', id, 'sh', '-c', hungry).catch(() => undefined);
      })(),
    );
  },
};

const serverPaused: Fault = {
  name: 'server-paused',
  title: 'server container paused',
  how: '`docker pause` of the running server without an unpause; at clone, of the helper container',
  scenario: HOST,
  effect: effects(during('CONTAINER_PAUSED', 'init', 'load', 'clone', 'warm-up', 'measure'), {
    create: NO_SERVER,
    teardown: MEASURED,
  }),
  strike: async (scene) => {
    await gone(scene, scene.engine.docker('pause', await worker(scene)));
  },
};

const clientKilled: Fault = {
  name: 'client-killed',
  title: 'client container killed',
  how: '`docker kill` of the client container, on a network path that has one',
  scenario: BRIDGE,
  effect: effects(
    { 'warm-up': 'CLIENT_LOST', measure: 'CLIENT_LOST' },
    { teardown: MEASURED, other: 'the client container starts with the first trial of its path' },
  ),
  strike: async ({ engine, runId }) => {
    for (const id of await running(engine, runId, 'client')) await engine.docker('kill', id);
  },
};

export const networkRemoved: Fault = {
  name: 'network-removed',
  title: 'network removed',
  how: "every container is disconnected from the run's network, then `docker network rm`",
  scenario: HOST,
  effect: effects(
    {
      ...during('ENGINE_REFUSED', 'create', 'clone'),
      ...during('PATH_NO_TRAFFIC', 'init', 'load'),
      ...during('LOAD_FAILED', 'warm-up', 'measure'),
    },
    { teardown: MEASURED },
  ),
  strike: async (scene) => {
    const { engine, phase, runId, signal } = scene;
    const name = `whalemark-${runId}`;
    if (phase === 'create') await nextEvent(engine, { runId, event: 'create', type: 'network' }, signal);
    if (phase === 'init') await worker(scene);
    const format = '{{range $id, $_ := .Containers}}{{$id}} {{end}}';
    for (let attempt = 1; ; attempt++) {
      const ids = await engine.docker('network', 'inspect', '--format', format, name);
      for (const id of ids.split(' ').filter((one) => one !== '')) {
        await engine.docker('network', 'disconnect', '--force', name, id).catch(() => undefined);
      }
      try {
        await engine.docker('network', 'rm', name);
        return;
      } catch (error) {
        // A container that started at this moment was connected in between.
        if (attempt >= 5) throw error;
      }
    }
  },
};

const portTaken: Fault = {
  name: 'port-taken',
  title: 'port taken',
  how: "another program listens on the port chosen for a server on the host's network: before its first start, or between two trials while the other path is measured",
  scenario: HOST,
  // The trial on the host's network follows the one that is struck.
  preset: { paths: ['published-port', 'host-network'] },
  effect: effects(
    { clone: 'PORT_TAKEN', 'warm-up': 'PORT_TAKEN', measure: 'PORT_TAKEN' },
    { teardown: MEASURED, other: 'no port has been picked yet' },
  ),
  strike: async (scene) => {
    const { engine, phase, runId, signal } = scene;
    const onHost = async (id: string): Promise<string | undefined> => {
      const format = '{{.HostConfig.NetworkMode}} {{join .Config.Cmd " "}}';
      const text = await engine.docker('inspect', '--format', format, id);
      return text.startsWith('host ') ? /--port=(\d+)/.exec(text)?.[1] : undefined;
    };
    let port: string | undefined;
    while (port === undefined) {
      // A server that has ended keeps its port for the next trial.
      const ids = await containersOf(engine, runId, { role: 'server' });
      for (const id of ids) port ??= await onHost(id);
      if (port === undefined && phase !== 'clone') throw new Error('no server has a port of the host');
      // The servers are made one after the other.
      if (port === undefined)
        await nextEvent(engine, { runId, role: 'server', event: 'create', type: 'container' }, signal);
    }
    await takePort(scene, Number(port));
  },
};

/** A program in the engine's network that listens, or finds the port taken. */
async function takePort({ engine, later }: Scene, port: number): Promise<void> {
  const script = `const s=require('net').createServer();s.on('error',e=>{process.stdout.write(e.code+'\\n');process.exit(0)});s.listen(${port},'127.0.0.1',()=>process.stdout.write('listening\\n'))`;
  const [command = '', ...args] = [...engine.enter, process.execPath, '-e', script];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  later(async () => {
    child.kill();
    await exited;
  });
  await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
}

/** A short-lived container may have ended before it was struck. */
async function gone({ phase }: Scene, strike: Promise<unknown>): Promise<void> {
  await strike.catch((error: unknown) => {
    const shortLived = phase === 'clone' || phase === 'teardown';
    const isExpected = /is not running|No such container|exit code|137|OCI runtime/i.test(String(error));
    if (!shortLived && !isExpected) throw error;
  });
}

export const CONTAINER_FAULTS: readonly Fault[] = [
  serverKilled,
  serverOom,
  serverPaused,
  clientKilled,
  networkRemoved,
  portTaken,
];

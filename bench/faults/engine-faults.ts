import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { appKilled } from './machine-faults.ts';
import { serverKilled } from './container-faults.ts';
import { effects, type Fault } from './fault.ts';

const run = promisify(execFile);
const AWAY_MS = 5000;

const engineUpdated: Fault = {
  name: 'engine-updated',
  title: 'engine updated',
  how: 'a proxy breaks every connection to the engine, and one second later the engine reports version 99.0, with which the run can’t be resumed',
  proxy: true,
  effect: effects({ load: 'ENGINE_LOST', measure: 'ENGINE_LOST' }),
  isRefused: true,
  strike: async ({ proxy }) => {
    proxy?.goAway();
    proxy?.pretend('99.0');
    await wait(1000);
    proxy?.back();
  },
};

export const streamsBroken: Fault = {
  name: 'streams-broken',
  title: 'sleep with an engine in a virtual machine',
  how: `SIGSTOP of the terminal for ${AWAY_MS / 1000} s while a proxy breaks every connection to the engine; the engine and its containers keep running`,
  proxy: true,
  effect: effects({ load: 'ENGINE_LOST', 'warm-up': 'INTERRUPTED', measure: 'INTERRUPTED' }),
  strike: async ({ proxy, child }) => {
    child?.kill('SIGSTOP');
    proxy?.goAway();
    await wait(AWAY_MS);
    proxy?.back();
    child?.kill('SIGCONT');
  },
};

const STRANGERS_PORT = '33999';
/** Matches the program alone, so that the engine's own connections are let through. */
const GROUP = '4242';

/** Subnets from which an engine takes its networks. */
const ENGINE_NETWORKS = '172.16.0.0/12,192.168.0.0/16';
const strangerAtAddress: Fault = {
  name: 'stranger-at-address',
  title: 'another server at the container’s address',
  how: 'like a VPN that owns the private networks: iptables redirects traffic to a container’s address to another MariaDB server, which rejects the account',
  needsOwnEngine: true,
  preset: { paths: ['published-port', 'container-ip'] },
  launch: (command) => ({ command: ['setpriv', `--regid=${GROUP}`, '--clear-groups', ...command] }),
  effect: effects({ start: 'ACCESS_DENIED' }),
  // Trials over the published port.
  measures: 2,
  strike: async ({ engine, later }) => {
    const id = await engine.docker(
      ...['run', '--detach', '--network', 'host', '--env', 'MARIADB_ROOT_PASSWORD=theirs'],
      ...[engine.serverImage, `--port=${STRANGERS_PORT}`],
    );
    const [command = '', ...enter] = engine.enter;
    const rule = (what: string): Promise<unknown> =>
      run(command, [
        ...[...enter, 'iptables', '--table', 'nat', what, 'OUTPUT', '--destination', ENGINE_NETWORKS],
        ...['--protocol', 'tcp', '--dport', '3306', '--match', 'owner', '--gid-owner', GROUP],
        ...['--jump', 'REDIRECT', '--to-ports', STRANGERS_PORT],
      ]);
    await rule('--insert');
    later(async () => {
      await rule('--delete');
      await engine.docker('rm', '--force', '--volumes', id);
    });
  },
};

/** The API versions of engines from 2016 to 2025. */
const API_VERSIONS = ['1.24', '1.30', '1.41', '1.44', '1.47'];

const apis = API_VERSIONS.map((api): Fault => ({
  name: `api-${api}`,
  title: `engine API ${api}`,
  how: `a proxy makes the engine use API ${api}; above the engine's version (1.41) it only reports that number`,
  proxy: { api },
  effect: effects({ start: 'no effect' }),
  strike: () => Promise.resolve(),
}));

const STORAGES = ['anonymous-volume', 'bind-mount', 'container-layer', 'data-container', 'tmpfs'];

const onStorages = STORAGES.flatMap((storage) =>
  [serverKilled, appKilled].map((fault): Fault => {
    const code = fault.effect('measure');
    return {
      ...fault,
      name: `${fault.name}-${storage}`,
      title: `${fault.title}, on ${storage}`,
      how: 'like on a named volume',
      scenario: `${storage}.published-port`,
      preset: { storages: [storage] },
      effect: effects(typeof code === 'string' ? { measure: code } : {}),
    };
  }),
);

const usernsRemap: Fault = {
  name: 'userns-remap',
  title: 'engine with userns-remap',
  how: 'another dockerd with `--userns-remap`, where root in a container is another user outside; a named volume and a bind mount',
  daemon: ['--userns-remap', 'default'],
  preset: { storages: ['named-volume', 'bind-mount'], paths: ['published-port'] },
  effect: effects({ start: 'no effect' }),
  strike: () => Promise.resolve(),
};

export const ENGINE_FAULTS: readonly Fault[] = [
  engineUpdated,
  streamsBroken,
  strangerAtAddress,
  usernsRemap,
  ...onStorages,
  ...apis,
];

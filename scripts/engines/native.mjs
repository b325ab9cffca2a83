// Engines of Debian sid on this machine's kernel.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryRun } from '../setup/command.mjs';
import { enginesDir } from '../setup/sid.mjs';
import { startInRoot, untilAnswers } from './root.mjs';

export const CGROUP = 'whalemark-rig';

/**
 * @typedef {import('./inside.mjs').Scratch} Scratch
 * @typedef {(data: string, scratch: Scratch) => { socket: string, command: string[], env?: Record<string, string> }} Recipe
 */

/** @param {object} config @returns {Recipe} */
const docker =
  (config) =>
  (data, { run, work }) => {
    const file = join(work, 'daemon.json');
    writeFileSync(file, JSON.stringify({ 'cgroup-parent': `/${CGROUP}`, ...config }));
    const host = ['--host', `unix://${run}/docker.sock`];
    return {
      socket: '/run/docker.sock',
      command: ['dockerd', '--config-file', file, '--data-root', data, '--exec-root', '/run/docker', ...host],
    };
  };

/** @type {Recipe} */
const podman = (data, { run, work }) => {
  mkdirSync(join(run, 'podman'));
  const [containers, storage] = [join(work, 'containers.conf'), join(work, 'storage.conf')];
  writeFileSync(
    containers,
    `[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_config_dir = "${data}/networks"
`,
  );
  writeFileSync(
    storage,
    `[storage]
driver = "overlay"
graphroot = "${data}/storage"
runroot = "/run/containers/storage"
`,
  );
  return {
    socket: '/run/podman/podman.sock',
    command: ['podman', 'system', 'service', '--time', '0', `unix://${run}/podman/podman.sock`],
    env: { CONTAINERS_CONF: containers, CONTAINERS_STORAGE_CONF: storage },
  };
};

const RECIPES = {
  'docker-28': docker({}),
  'docker-28-containerd': docker({ features: { 'containerd-snapshotter': true } }),
  'podman-5': podman,
};

/**
 * @param {keyof typeof RECIPES} name
 * @returns {(scratch: Scratch) => Promise<import('./inside.mjs').Engine>}
 */
export const startNative = (name) => async (scratch) => {
  const data = join(enginesDir(), name, 'data');
  mkdirSync(data, { recursive: true });
  const log = `${join(enginesDir(), name)}.log`;
  writeFileSync(log, '');
  const { socket, command, env = {} } = RECIPES[name](data, scratch);
  // crun refuses the hybrid of control groups 1 and 2.
  const unified = join(scratch.work, 'root/sys/fs/cgroup/unified');
  if (name === 'podman-5' && existsSync(unified)) await tryRun('umount', [unified]);
  const program = startInRoot(scratch, command, { log, env });
  await untilAnswers(socket, program, log);
  return { socket, stop: () => program.stop() };
};

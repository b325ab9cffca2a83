// Checks that nothing of Whalemark's is left: no labelled volume, network, or swarm on the engine, and no
// container, kept dataset, or temporary file made since the given time (milliseconds; default: ever). In CI
// also no volume without a name. Prints its findings; exit code 1 when there is anything.
import { readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const socketPath = (process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock').replace(/^unix:\/\//, '');
/** @param {string} label */
const labelled = (label) => `filters=${encodeURIComponent(JSON.stringify({ label: [label] }))}`;
const ours = labelled('io.whalemark.owner');

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
function ask(path) {
  return new Promise((resolve, reject) => {
    const question = request({ socketPath, path }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part) => (text += part));
      answer.on('end', () => resolve(JSON.parse(text)));
    });
    question.on('error', reject);
    question.end();
  });
}

const since = Number(process.argv[2] ?? 0);
/** @type {string[]} */
const left = [];
for (const container of await ask(`/containers/json?all=1&${ours}`)) {
  // Tests of single files leave their servers running for the next call.
  if (container.Created >= Math.floor(since / 1000)) left.push(`container ${container.Names[0]}`);
}
for (const volume of (await ask(`/volumes?${ours}`)).Volumes ?? []) left.push(`volume ${volume.Name}`);
for (const volume of (await ask(`/volumes?${labelled('io.whalemark.dataset')}`)).Volumes ?? []) {
  if (Date.parse(volume.CreatedAt) >= since) left.push(`dataset ${volume.Name}`);
}
// A volume that an image declares has no label; its name is 64 hexadecimal digits.
const dangling = encodeURIComponent(JSON.stringify({ dangling: ['true'] }));
for (const volume of (await ask(`/volumes?filters=${dangling}`)).Volumes ?? []) {
  // The engine reports whole seconds.
  const isNew = Date.parse(volume.CreatedAt) >= Math.floor(since / 1000) * 1000;
  if (process.env['CI'] === 'true' && isNew && /^[0-9a-f]{64}$/.test(volume.Name))
    left.push(`anonymous volume ${volume.Name}`);
}
const projects = labelled('com.docker.compose.project');
for (const [kind, resources] of Object.entries({
  container: await ask(`/containers/json?all=1&${projects}`),
  volume: (await ask(`/volumes?${projects}`)).Volumes ?? [],
  network: await ask(`/networks?${projects}`),
})) {
  for (const { Name, Names, Labels } of resources) {
    if (Labels['com.docker.compose.project'].startsWith('whalemark-test-'))
      left.push(`${kind} ${Name ?? Names[0]}`);
  }
}
for (const network of await ask(`/networks?${ours}`)) left.push(`network ${network.Name}`);
const { Swarm: swarm } = await ask('/info');
if (swarm?.ControlAvailable === true) {
  // Whalemark's own swarm is reported as a whole; in the user's, only the services are.
  if ('io.whalemark.owner' in ((await ask('/swarm')).Spec.Labels ?? {})) left.push('swarm');
  for (const { Spec } of await ask(`/services?${ours}`)) left.push(`service ${Spec.Name}`);
}
for (const name of await readdir(tmpdir())) {
  if (!name.startsWith('whalemark-')) continue;
  const path = join(tmpdir(), name);
  if ((await stat(path)).birthtimeMs >= since) left.push(`temporary file ${path}`);
}
for (const line of left) console.error(`left behind: ${line}`);
if (left.length === 0) console.log('nothing was left behind');
process.exitCode = left.length === 0 ? 0 : 1;

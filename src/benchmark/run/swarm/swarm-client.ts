import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { msg } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import { CLIENT_USER } from '../../load/client-image.ts';
import { CommandedClient } from '../../load/client/clients.ts';
import type { ServiceSpec, ServiceTask, SwarmEngine, SwarmFile } from '../../runtime/container-runtime.ts';
import { tarOf } from '../../runtime/engine/tar.ts';
import type { Cleanup } from '../cleanup.ts';
import type { ClientKit, RunContext } from '../context.ts';
import { chooseNode } from '../../servers/swarm.ts';
import { checkStopped } from '../../stop.ts';

/** A config holds 500 KB (Docker documentation, "Store configuration data using Docker configs"). */
const PART_BYTES = 480_000;
const PARTS = '/whalemark-client';
const TOKEN = '/run/secrets/whalemark-token';
const CLIENT_FILE = '/tmp/client.cjs';
const PORT = 7007;
const NOBODY = Number.parseInt(CLIENT_USER, 10);

const BOOTSTRAP = [
  `const fs = require('node:fs'), zlib = require('node:zlib'), dir = '${PARTS}', file = '${CLIENT_FILE}';`,
  'const parts = fs.readdirSync(dir).sort().map((name) => fs.readFileSync(`${dir}/${name}`));',
  'fs.writeFileSync(file, zlib.brotliDecompressSync(Buffer.concat(parts)));',
  'process.argv.splice(1, 0, file); require(file);',
].join('\n');

/**
 * A client on another swarm node: a service that takes commands over TCP within the run's overlay, and a relay
 * container here. Its code comes in swarm configs.
 */
export async function startNodeClient(
  context: Pick<RunContext, 'runtime' | 'clientFile' | 'signal' | 'hide'>,
  kit: Omit<ClientKit, 'clientImages'> & { image: string },
  node: string,
  number: number,
  cleanup: Cleanup,
): Promise<CommandedClient> {
  const { runtime, signal } = context;
  const { swarm } = runtime;
  const { image, prefix, networks } = kit;
  if (networks.overlay === undefined) throw new Error('no overlay was prepared');
  const name = `${prefix}-client${number}`;
  const files: SwarmFile[] = [];
  const started: { serviceId?: string; relayId?: string } = {};
  cleanup.add('container', async () => {
    const { serviceId, relayId } = started;
    // The service first: without the relay its task would end by itself.
    if (serviceId !== undefined) await swarm.removeService(serviceId);
    if (relayId !== undefined) await runtime.containers.remove(relayId);
    for (const file of files) await swarm.removeFile(file);
  });

  const token = randomBytes(32).toString('base64url');
  context.hide(token);
  const labels = kit.labels('client');
  const places: ServiceSpec['files'] = [];
  for (const [index, part] of (await clientParts(context.clientFile)).entries()) {
    const file = await swarm.createFile('config', `${name}-part${index}`, part, labels);
    files.push(file);
    places.push({ file, path: `${PARTS}/${String(index).padStart(3, '0')}`, user: NOBODY });
  }
  const secret = await swarm.createFile('secret', `${name}-token`, Buffer.from(token), labels);
  files.push(secret);
  places.push({ file: secret, path: TOKEN, user: NOBODY });

  const { nodeId } = await swarm.state();
  const chosen = chooseNode(node, await swarm.nodes(), nodeId);
  if (chosen === undefined) {
    throw new BenchmarkError('ENGINE_REFUSED', {
      action: msg('action.startClientElsewhere'),
      reason: 'there is no such node, or it is not ready',
    });
  }
  // By content no registry is asked; for a tag the node would ask one first. Another architecture or image store has
  // other content under the tag.
  const byContent = (await runtime.images.inspect(image))?.id;
  const references = byContent === undefined ? [image] : [byContent, image];
  for (const [index, reference] of references.entries()) {
    started.serviceId = await swarm.createService({
      name,
      image: reference,
      labels,
      nodeId: chosen.id,
      entrypoint: ['node', '-e', BOOTSTRAP],
      user: CLIENT_USER,
      command: ['serve', String(PORT), TOKEN],
      network: networks.overlay,
      files: places,
      stopTimeoutSeconds: 1,
    });
    try {
      await runningTask(swarm, started.serviceId, { image, signal });
      break;
    } catch (error) {
      const isMissing = error instanceof BenchmarkError && error.code === 'CLIENT_IMAGE_MISSING_ON_NODE';
      if (!isMissing || index === references.length - 1) throw error;
      await swarm.removeService(started.serviceId);
    }
  }

  const file = basename(context.clientFile);
  started.relayId = await runtime.containers.create({
    name: `${name}-relay`,
    image,
    labels,
    entrypoint: ['node', `/tmp/${file}`, 'relay', name, String(PORT)],
    user: CLIENT_USER,
    network: networks.overlay,
    stdin: true,
    stopTimeoutSeconds: 1,
  });
  await runtime.containers.putArchive(
    started.relayId,
    '/tmp',
    await tarOf({ [file]: await readFile(context.clientFile) }),
  );
  const attachment = await runtime.containers.attach(started.relayId);
  await runtime.containers.start(started.relayId);
  // The token is in no argument and no environment.
  attachment.stdin.write(`${token}\n`);
  return new CommandedClient(attachment);
}

async function clientParts(clientFile: string): Promise<Buffer[]> {
  const packed = await promisify(brotliCompress)(await readFile(clientFile), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
  });
  const parts: Buffer[] = [];
  for (let at = 0; at < packed.length; at += PART_BYTES) parts.push(packed.subarray(at, at + PART_BYTES));
  return parts;
}

const ASK_AGAIN_MS = 100;
/** For a slow node to create a container from a local image. */
const START_MS = 60_000;

const ENDED: ReadonlySet<string> = new Set([
  'complete',
  'shutdown',
  'failed',
  'rejected',
  'orphaned',
  'remove',
]);

const RAN: ReadonlySet<string> = new Set(['complete', 'failed']);

/** Rejects if the node lacks `image`, or the task ends or never runs. */
export async function runningTask(
  swarm: SwarmEngine,
  serviceId: string,
  options: { image: string; signal: AbortSignal; orEnded?: boolean; startMs?: number },
): Promise<ServiceTask> {
  const { image, signal, orEnded = false, startMs = START_MS } = options;
  const start = Date.now();
  for (;;) {
    checkStopped(signal);
    const task = await swarm.serviceTask(serviceId);
    if (task?.state === 'running') return task;
    if (orEnded && task?.containerId !== undefined && RAN.has(task.state)) return task;
    const late = Date.now() - start > startMs;
    if (task !== undefined && (late || ENDED.has(task.state))) throw notRunning(task, image);
    if (late) throw refused('the swarm made no task of it');
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

function notRunning({ state, message }: ServiceTask, image: string): BenchmarkError {
  return /no such image/i.test(message)
    ? new BenchmarkError('CLIENT_IMAGE_MISSING_ON_NODE', { image }, { evidence: [`${state}: ${message}`] })
    : refused(`its task is “${state}”: ${message}`);
}

function refused(reason: string): BenchmarkError {
  return new BenchmarkError('ENGINE_REFUSED', { action: msg('action.runService'), reason });
}

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/message.ts';
import type { Notice, Plan } from '../../shared/model/plan.ts';
import type { Preset } from '../../shared/model/preset.ts';
import type { Setup, SetupService } from '../../shared/model/setup.ts';
import { presetOfSetup, serviceOf } from '../../shared/project/setup-preset.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { withConfigFiles } from '../setup/option-files.ts';
import { bindRootRefusal } from '../target/storage/bind-directory.ts';
import { SETUP_ROOT } from '../target/storage/bind-roots.ts';

interface PreparedSetup {
  preset: Preset;
  /** Adds what belongs to the setup to a plan of its preset. */
  complete(plan: Plan): Plan;
}

/** Includes the service's option files, and bind mounts next to the user's folder if that may be. */
export async function prepareSetup(
  read: Setup,
  name: string,
  runtime: ContainerRuntime,
  dataDir: string,
): Promise<PreparedSetup> {
  const setup = await withConfigFiles(read);
  const service = serviceOf(setup, name);
  requireCpus(service, runtime);
  await requireBuilt(service, runtime);
  const { root, reason } = await folderNextTo(service, runtime, dataDir);
  const notices = [...noticesOf(setup, service), ...(reason === null ? [] : [elsewhere(reason)])];
  const preset = presetOfSetup(setup, name);
  return {
    preset: root === null ? preset : { ...preset, bindRoot: root },
    complete: (plan) => ({
      ...plan,
      setup: { source: setup.source, service: name },
      consents: [...plan.consents, ...consentsOf(plan, service, root)],
      notices: [...notices.filter((one) => !isSaid(one, plan)), ...plan.notices],
    }),
  };
}

/** Docker refuses to start a container with more than it has. A limit of memory may be any. */
function requireCpus({ name, limits }: SetupService, { passport }: ContainerRuntime): void {
  const { cpus } = passport.runtime;
  if (limits.cpus === null || cpus === 0 || limits.cpus <= cpus) return;
  const reason = msg('mySetup.cpus', { wanted: limits.cpus, cpus });
  throw new BenchmarkError('SETUP_REFUSED', { name }, { evidence: [reason] });
}

async function requireBuilt({ name, image, built }: SetupService, runtime: ContainerRuntime): Promise<void> {
  if (!built || (await runtime.images.inspect(image)) !== undefined) return;
  const reason = msg('mySetup.notBuilt', { image, command: `docker compose build ${name}` });
  throw new BenchmarkError('SETUP_REFUSED', { name }, { evidence: [reason] });
}

interface Folder {
  /** For bind mounts; null: Whalemark's own. */
  root: string | null;
  /** Why not next to the user's, if that may be another disk. */
  reason: Message | null;
}

const OWN_FOLDER: Folder = { root: null, reason: null };

/** On the file system of the user's folder, and outside of it. */
async function folderNextTo(
  { storage: { kind, place } }: SetupService,
  { passport }: ContainerRuntime,
  dataDir: string,
): Promise<Folder> {
  if (kind !== 'bind-mount' || place === null || passport.runtime.remote) return OWN_FOLDER;
  const parent = dirname(place);
  const [disk, ofParent, ofData] = await Promise.all([place, parent, dataDir].map(diskOf));
  if (disk !== undefined && disk !== ofParent) {
    return disk === ofData ? OWN_FOLDER : { root: null, reason: msg('mySetup.wholeDisk') };
  }
  const root = join(parent, SETUP_ROOT);
  const reason =
    ofParent === undefined
      ? msg('mySetup.folderMissing')
      : ((await bindRootRefusal(root, dataDir)) ?? (await notWritable(parent)));
  if (reason === undefined) return { root, reason: null };
  return ofParent !== undefined && ofParent === ofData ? OWN_FOLDER : { root: null, reason };
}

function diskOf(folder: string): Promise<number | undefined> {
  return stat(folder).then(
    ({ dev }) => dev,
    () => undefined,
  );
}

function notWritable(folder: string): Promise<Message | undefined> {
  return access(folder, constants.W_OK).then(
    () => undefined,
    () => msg('file.notWritable'),
  );
}

function consentsOf(
  { scenarios, bindRoot }: Plan,
  { storage }: SetupService,
  root: string | null,
): Plan['consents'] {
  const uses = (kind: string): boolean => scenarios.some((scenario) => scenario.storage.kind === kind);
  const folder = root !== null && bindRoot === root && uses('bind-mount');
  const device = (storage.kind === 'nfs' || storage.kind === 'volume-options') && uses(storage.kind);
  return [
    ...(folder ? [msg('consent.setupFolder', { folder: root })] : []),
    ...(device ? [msg('consent.setupDevice')] : []),
  ].map((message) => ({ consent: 'setup-folder', message }));
}

function noticesOf({ source }: Setup, { name, container, warnings }: SetupService): Notice[] {
  const containerName = source.kind === 'container' ? source.name : name;
  return [
    ...(container?.running === true
      ? [{ code: 'SETUP_RUNNING', message: msg('notice.setupRunning', { name: containerName }) }]
      : []),
    ...warnings.map((message) => ({ code: 'SETUP_READ', message })),
  ];
}

/** Emulated images are a notice of every plan. */
function isSaid({ message }: Notice, { notices }: Plan): boolean {
  return notices.some((one) => one.message.text === message.text);
}

function elsewhere(reason: Message): Notice {
  return { code: 'SETUP_FOLDER', message: msg('notice.setupFolder', { reason }) };
}

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.mjs';
import { run, tryRun, which } from './command.mjs';
import { step } from './report.mjs';

/** The oldest that Whalemark asks (src/benchmark/compose/find-compose.ts). */
const OLDEST = [2, 20];
/** A static program, which runs on older releases, too; bookworm has only the one in Python. */
const SUITE = 'trixie';

const PLUGIN_FOLDERS = [
  join(homedir(), '.docker/cli-plugins'),
  '/usr/local/lib/docker/cli-plugins',
  '/usr/local/libexec/docker/cli-plugins',
  '/usr/lib/docker/cli-plugins',
  '/usr/libexec/docker/cli-plugins',
];

/** The usual name, so that the folder can be on the PATH. */
const provided = () => join(cacheDir(), `compose-${SUITE}`, 'docker-compose');

/** @returns {Promise<Record<string, string> | undefined>} */
export async function findCompose() {
  const candidates = [
    ...PLUGIN_FOLDERS.map((folder) => join(folder, 'docker-compose')),
    which('docker-compose'),
    provided(),
  ];
  for (const file of candidates) {
    if (file !== undefined && existsSync(file) && (await isNewEnough(file))) {
      return { WHALEMARK_TEST_COMPOSE: file };
    }
  }
  return undefined;
}

/** @param {string} file */
async function isNewEnough(file) {
  const { stdout } = await tryRun(file, ['version', '--short'], { timeoutMs: 30_000 });
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(stdout.trim()) ?? [];
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}

/**
 * apt checks the package's signature; nothing is installed.
 *
 * @returns {Promise<Record<string, string>>}
 */
export function provideCompose() {
  return step(`taking Compose out of the package of Debian ${SUITE}`, async () => {
    const folder = join(provided(), '..');
    const work = `${folder}.part`;
    rmSync(work, { recursive: true, force: true });
    for (const inner of ['lists/partial', 'cache/archives/partial']) {
      mkdirSync(join(work, inner), { recursive: true });
    }
    const targets = ['indextargets', '--format', '$(REPO_URI)', 'Identifier: Packages'];
    const [mirror = ''] = (await run('apt-get', targets)).split('\n');
    const list = join(work, 'sources.list');
    const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
    writeFileSync(list, `deb [signed-by=${keys}] ${mirror} ${SUITE} main\n`);
    /** @type {Record<string, string>} */
    const settings = {
      'Dir::Etc::SourceList': list,
      'Dir::Etc::SourceParts': '/dev/null',
      'Dir::State::Lists': join(work, 'lists'),
      'Dir::Cache': join(work, 'cache'),
      'Acquire::Languages': 'none',
      // Mirrors that keep an old state serve release files past their date.
      'Acquire::Check-Valid-Until': 'false',
      'APT::Sandbox::User': 'root',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    await run('apt-get', [...options, 'update'], { timeoutMs: 10 * 60_000 });
    await run('apt-get', [...options, 'download', 'docker-compose'], { cwd: work, timeoutMs: 10 * 60_000 });
    const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
    if (archive === undefined)
      throw new Error('apt-get said that it downloaded Compose, but it is not there.');
    await run('dpkg', ['-x', join(work, archive), join(work, 'unpacked')]);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    renameSync(join(work, 'unpacked/usr/libexec/docker/cli-plugins/docker-compose'), provided());
    rmSync(work, { recursive: true, force: true });
    if (!(await isNewEnough(provided()))) throw new Error(`${provided()} doesn't run here.`);
    return { WHALEMARK_TEST_COMPOSE: provided() };
  });
}

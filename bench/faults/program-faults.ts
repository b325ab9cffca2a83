import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeContext } from '../../tests/integration/helpers/docker-contexts.ts';
import { effects, type Fault } from './fault.ts';
import { EXIT_CODE_FILE, OUTPUT_FILE, type Launch } from './program.ts';

const run = promisify(execFile);
const NOBODY = '65534';

/** The shell itself outlives the signal, to write down how the program ended; the program gets it as always. */
const keepsExitCode = (signal: string, home: string): string =>
  `trap : ${signal}; "$@"; echo $? >"${join(home, EXIT_CODE_FILE)}"`;

const inTerminal: Launch = (command, home) => {
  const file = join(home, 'command.sh');
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const script = `set -- ${quoted}; ${keepsExitCode('HUP', home)}`;
  const start = 'printf %s "$1" >"$2"; exec script --quiet --command "sh $2" "$3"';
  return {
    command: ['sh', '-c', start, 'sh', script, file, join(home, OUTPUT_FILE)],
    env: { SHELL: '/bin/sh' },
  };
};

const terminalClosed: Fault = {
  name: 'terminal-closed',
  title: 'terminal closed, ssh session dropped',
  how: 'the program runs in a pseudo-terminal of script(1), which is killed: the program gets SIGHUP and loses its output',
  launch: inTerminal,
  effect: effects({ load: 'stopped', clone: 'stopped', measure: 'stopped' }),
  cleans: true,
  exitCode: 130,
  strike: async ({ child }) => void child?.kill('SIGKILL'),
};

const pipeBroken: Fault = {
  name: 'pipe-broken',
  title: 'Ctrl+C in a pipe to `tee`',
  how: 'SIGINT to the whole process group: tee(1) ends at once, and the pipe loses its reader',
  launch: (command, home) => {
    const script = `trap : INT; { ${keepsExitCode('INT', home)}; } 2>&1 | tee "${join(home, OUTPUT_FILE)}"`;
    return { command: ['sh', '-c', script, 'sh', ...command] };
  },
  effect: effects({ load: 'stopped', measure: 'stopped' }),
  cleans: true,
  exitCode: 130,
  strike: async ({ child }) => void process.kill(-(child?.pid ?? 0), 'SIGINT'),
};

const dataFolderFile: Fault = {
  name: 'data-folder-file',
  title: 'data folder is a file',
  how: 'a file has the data folder’s name; it is removed before the next start',
  effect: effects({ start: 'DATA_FOLDER_UNREADABLE' }),
  strike: async ({ dataDir, later }) => {
    await rename(dataDir, `${dataDir}.away`);
    await writeFile(dataDir, '');
    later(async () => {
      await rm(dataDir);
      await rename(`${dataDir}.away`, dataDir);
    });
  },
};

const dataFolderDenied: Fault = {
  name: 'data-folder-denied',
  title: 'data folder of another user',
  how: 'the program runs as an ordinary user, and the data folder belongs to root, like after one `sudo`; root starts it next',
  proxy: true,
  launch: (command) => ({
    command: ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...command],
  }),
  effect: effects({ start: 'DATA_FOLDER_UNREADABLE' }),
  strike: async ({ home, dataDir }) => {
    await chmod(join(home, 'engine.sock'), 0o666);
    await chmod(dataDir, 0o700);
  },
};

const homeReadOnly: Fault = {
  name: 'home-read-only',
  title: 'home on a read-only file system',
  how: 'the home folder with the data folder is a read-only tmpfs; the next start uses another data folder',
  launch: (command, home) => ({
    command,
    env: { HOME: join(home, 'read-only'), XDG_DATA_HOME: undefined, WHALEMARK_HOME: undefined },
  }),
  effect: effects({ start: 'DATA_FOLDER_UNWRITABLE' }),
  strike: async ({ home, later }) => {
    const folder = join(home, 'read-only');
    await mkdir(folder);
    await run('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder]);
    later(() => run('umount', [folder]));
  },
};

const fewFiles: Fault = {
  name: 'few-files',
  title: '`ulimit -n 256` with 300 connections',
  how: 'prlimit(1) allows the program 256 open files',
  launch: (command) => ({ command: ['prlimit', '--nofile=256:256', ...command] }),
  preset: { connections: 300 },
  effect: effects({ start: 'LOAD_FAILED' }),
  strike: () => Promise.resolve(),
};

const foreignUser: Fault = {
  name: 'foreign-user',
  title: 'user name and folders outside ASCII, `;`-locale',
  how: 'data folder and bind mounts are below “Jürgen Ñandú 用户 …”, with the locale de_DE.UTF-8',
  homeName: 'Jürgen Ñandú 用户 ',
  launch: (command, home) => ({
    command,
    env: { HOME: home, USER: 'Jürgen', LOGNAME: 'Jürgen', LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' },
  }),
  preset: { storages: ['bind-mount', 'named-volume'], paths: ['published-port'] },
  effect: effects({ start: 'no effect' }),
  strike: () => Promise.resolve(),
};

/** Whalemark can't check whether the process has ended, so the user confirms it. */
const cleanAll: Fault['next'] = async (command) => {
  await command('clean');
  await command('clean', '--all', '--force');
  return [];
};

const onHostNamed =
  (name: string): Launch =>
  (command) => ({
    command: ['unshare', '--uts', 'sh', '-c', `hostname ${name}; exec "$@"`, 'sh', ...command],
  });

const otherHostName: Fault = {
  name: 'other-host-name',
  title: 'killed, then another host name',
  how: '`kill -9`; every later command runs in a UTS namespace with another host name',
  launchNext: onHostNamed('renamed-by-dhcp'),
  next: cleanAll,
  isSwept: true,
  effect: effects({ measure: 'CORE_LOST' }),
  strike: async ({ child }) => void child?.kill('SIGKILL'),
};

const inContainer: Launch = (command) => ({
  command: ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', ...command],
});

const otherContainer: Fault = {
  name: 'other-pid-namespace',
  title: 'killed in a container, then another container',
  how: '`kill -9` of the program in a PID namespace; every later command has another one, like the next job of a CI',
  launch: inContainer,
  launchNext: inContainer,
  next: cleanAll,
  effect: effects({ measure: 'CORE_LOST' }),
  strike: async ({ child }) => void child?.kill('SIGKILL'),
};

const CONTEXT = 'mine';

/** Docker's settings in the cell's folder name the engine, and nothing else does. */
const byContext: Launch = (command, home) => ({
  command,
  env: { DOCKER_CONFIG: join(home, 'docker'), DOCKER_HOST: undefined, DOCKER_CONTEXT: undefined },
});

async function setContext(home: string): Promise<void> {
  const folder = join(home, 'docker');
  await writeContext(folder, CONTEXT, `unix://${join(home, 'engine.sock')}`);
  await writeFile(join(folder, 'config.json'), JSON.stringify({ currentContext: CONTEXT }));
}

const contextRemoved: Fault = {
  name: 'context-removed',
  title: 'the context removed, then killed',
  how: 'the engine’s Docker context is removed, then `kill -9`: what outlives the program can’t reach the engine; the next start uses another one and must name the one with leftovers; then the context is restored',
  proxy: true,
  prepare: setContext,
  launch: byContext,
  launchNext: byContext,
  effect: effects({ measure: 'CORE_LOST' }),
  strike: async ({ child, home }) => {
    await rm(join(home, 'docker'), { recursive: true });
    child?.kill('SIGKILL');
  },
  next: async (command, home) => {
    const elsewhere = await command('clean');
    await setContext(home);
    await command('clean');
    const says = `${elsewhere.stdout}${elsewhere.stderr}`;
    return says.includes('engine.sock') || says.includes(CONTEXT)
      ? []
      : [`on another engine it says nothing of the leftovers: ${says}`];
  },
};

const journalByte: Fault = {
  name: 'journal-byte',
  title: 'a byte of the journal broken',
  how: '`kill -9`, then the first byte of a line in the middle of the journal (a second of a measured trial) is changed',
  effect: effects({ measure: 'CORE_LOST' }),
  isSwept: true,
  strike: async ({ child, dataDir, runId, later }) => {
    child?.kill('SIGKILL');
    later(async () => {
      const file = join(dataDir, 'runs', runId, 'journal.ndjson');
      const lines = (await readFile(file, 'utf8')).split('\n');
      const windows = lines.flatMap((line, index) => (line.includes('"type":"window"') ? [index] : []));
      const middle = windows[Math.floor(windows.length / 2)] ?? 0;
      lines[middle] = `X${lines[middle]?.slice(1) ?? ''}`;
      await writeFile(file, lines.join('\n'));
    });
  },
};

export const PROGRAM_FAULTS: readonly Fault[] = [
  terminalClosed,
  pipeBroken,
  dataFolderFile,
  dataFolderDenied,
  homeReadOnly,
  fewFiles,
  foreignUser,
  otherHostName,
  otherContainer,
  contextRemoved,
  journalByte,
];

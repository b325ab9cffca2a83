import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import ssh2, { type Connection, type ServerChannel } from 'ssh2';

/** A machine to log in to: what is asked of it runs here, as a login without a terminal would run it. */
export interface SshServer {
  port: number;
  /** Line for a known_hosts file. */
  hostKey: string;
  /** How many logins there were. */
  logins(): number;
  close(): Promise<void>;
}

/** Not ed25519: of those ssh2 1.17 makes one in three hundred or so that it can't read itself (it drops zeros they begin with). */
function keyPair(): { private: string; public: string } {
  return ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
}

/** A real SSH server on 127.0.0.1 that lets one key in. `env` is what a login finds in its environment. */
export async function sshServer(publicKey: string, env: NodeJS.ProcessEnv): Promise<SshServer> {
  const own = keyPair();
  const allowed = ssh2.utils.parseKey(publicKey);
  if (allowed instanceof Error) throw allowed;
  const open = new Set<Connection>();
  let logins = 0;
  const server = new ssh2.Server({ hostKeys: [own.private] }, (client) => {
    open.add(client);
    client.on('close', () => open.delete(client));
    // A client that is killed resets its connection.
    client.on('error', () => undefined);
    client.on('authentication', (attempt) => {
      const { method } = attempt;
      if (method !== 'publickey' || !attempt.key.data.equals(allowed.getPublicSSH())) {
        attempt.reject(['publickey']);
      } else if (attempt.signature === undefined || attempt.blob === undefined) {
        attempt.accept();
      } else if (allowed.verify(attempt.blob, attempt.signature, attempt.hashAlgo) === true) {
        logins += 1;
        attempt.accept();
      } else {
        attempt.reject();
      }
    });
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec, _reject, { command }) => run(acceptExec(), command, env));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    hostKey: `[127.0.0.1]:${port} ${own.public}\n`,
    logins: () => logins,
    close: async () => {
      for (const client of open) client.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function run(channel: ServerChannel, command: string, env: NodeJS.ProcessEnv): void {
  const child = spawn('/bin/sh', ['-c', command], { env });
  channel.on('error', () => child.kill());
  channel.on('close', () => child.kill());
  child.stdin.on('error', () => undefined);
  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  child.on('close', (code) => {
    channel.exit(code ?? 1);
    channel.end();
  });
}

/** The user's side: keys, ssh_config, and an `ssh` that uses them and notes the process id of each child. */
export interface SshClient {
  /** A folder for the beginning of PATH. */
  bin: string;
  publicKey: string;
  /** Process ids of all children so far. */
  pids(): Promise<number[]>;
  /** Adds a host to ssh_config. */
  host(alias: string, options: Record<string, string | number>): Promise<void>;
  know(hostKey: string): Promise<void>;
}

/** Sets up a user in `directory` whose ssh reads nothing of the real user's. */
export async function sshClient(directory: string): Promise<SshClient> {
  const file = (name: string): string => join(directory, name);
  const own = keyPair();
  await mkdir(file('bin'));
  await writeFile(file('key'), own.private, { mode: 0o600 });
  await writeFile(file('known_hosts'), '');
  await writeFile(file('pids'), '');
  await writeFile(file('config'), '');
  await writeFile(
    file('bin/ssh'),
    `#!/bin/sh\necho $$ >> ${file('pids')}\nexec /usr/bin/ssh -F ${file('config')} "$@"\n`,
  );
  await chmod(file('bin/ssh'), 0o755);
  return {
    bin: file('bin'),
    publicKey: own.public,
    pids: async () => (await readFile(file('pids'), 'utf8')).split('\n').filter(Boolean).map(Number),
    host: async (alias, options) => {
      const all = {
        HostName: '127.0.0.1',
        IdentityFile: file('key'),
        IdentitiesOnly: 'yes',
        IdentityAgent: 'none',
        UserKnownHostsFile: file('known_hosts'),
        GlobalKnownHostsFile: '/dev/null',
        StrictHostKeyChecking: 'ask',
        ...options,
      };
      const lines = Object.entries(all).map(([name, value]) => `  ${name} ${value}\n`);
      await writeFile(file('config'), `Host ${alias}\n${lines.join('')}`, { flag: 'a' });
    },
    know: (hostKey) => writeFile(file('known_hosts'), hostKey, { flag: 'a' }),
  };
}

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

export interface OpenPort {
  /** The kernel's form: 0.0.0.0 and [::] represent all. */
  address: string;
  port: number;
}

/** TCP listeners in a process's network. */
export function listening(pid: number | 'self' = 'self'): OpenPort[] {
  return ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/${pid}/net/${file}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === '0A')
      .map(([, local = '']) => openPort(local)),
  );
}

/** The kernel's form is `0100007F:0CEA`, each four bytes in reverse order. */
function openPort(local: string): OpenPort {
  const [address = '', port = ''] = local.split(':');
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  const groups = bytes.flatMap((byte, index) =>
    index % 2 === 0 ? [`${byte}${bytes[index + 1] ?? ''}`] : [],
  );
  return {
    address:
      bytes.length === 4
        ? bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
        : `[${groups.every((group) => group === '0000') ? '::' : groups.join(':')}]`,
    port: Number.parseInt(port, 16),
  };
}

/** Whether anything takes a connection there. */
export function takesConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const told = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => told(true));
    socket.once('timeout', () => told(false));
    socket.once('error', () => told(false));
  });
}

import { request } from 'node:http';
import { docker } from '../../tests/integration/helpers/docker-server.ts';
import type { FaultEngine, Trouble } from './engine.ts';

/** The engine in the virtual machine of `node scripts/engines.mjs vm …`. */
export async function vmEngine(): Promise<FaultEngine> {
  const endpoint = String(process.env['DOCKER_HOST']);
  return {
    version: `${await docker('version', '--format', '{{.Server.Version}}')} in a virtual machine`,
    serverImage: process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8',
    baseImage: process.env['WHALEMARK_TEST_NODE_IMAGE'] ?? 'node:24-trixie-slim',
    docker,
    socket: endpoint.replace('unix://', ''),
    env: {},
    enter: [],
    own: null,
    vm: { trouble, inside: (command) => trouble('inside', command) },
    remove: () => Promise.resolve(),
  };
}

function trouble(name: Trouble, argument = ''): Promise<string> {
  const socketPath = process.env['WHALEMARK_TEST_TROUBLES'];
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath, path: `/${name}`, method: 'POST' }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (text += part));
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`${name}: ${text}`));
      });
    });
    asking.on('error', reject);
    asking.end(argument);
  });
}

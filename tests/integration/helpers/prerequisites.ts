import { existsSync } from 'node:fs';
import { request } from 'node:http';

/** Rejects without an engine and the built parts: tests that need them fail; they are never skipped. */
export async function checkPrerequisites(): Promise<void> {
  const socketPath = (process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock').replace(/^unix:\/\//, '');
  await new Promise<void>((resolve, reject) => {
    const ping = request({ socketPath, path: '/_ping' }, (answer) => {
      answer.resume();
      if (answer.statusCode === 200) resolve();
      else reject(new Error(`the engine answers ${answer.statusCode}`));
    });
    ping.on('error', (error) =>
      reject(new Error(`Integration tests need a Docker engine (npm run config): ${error.message}`)),
    );
    ping.end();
  });
  for (const file of ['out/main/client.cjs', 'out/cli/whalemark.cjs']) {
    if (!existsSync(file)) throw new Error(`Integration tests need the build (npm run build): no ${file}`);
  }
}

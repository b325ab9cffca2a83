// node scripts/engines.mjs ENGINE [COMMAND…]: runs a command of this folder with a real engine of another
// kind, such as `node scripts/engines.mjs podman-5 npm run whalemark -- doctor`. Sets up what is missing, and
// ends everything with the command. `docker-28+vm` is both: the first answers at the default socket, the
// second as DOCKER_HOST.
import process from 'node:process';
import { setup } from './setup.mjs';
import { ENGINE_NAMES } from './engines/inside.mjs';
import { runBeside } from './engines/rig.mjs';
import { needOf } from './setup/engines.mjs';

const [name = '', ...command] = process.argv.slice(2);
const engines = name.split('+').flatMap((part) => ENGINE_NAMES.filter((one) => one === part));
if (engines.join('+') !== name || command.length === 0) {
  console.error(
    `node scripts/engines.mjs ENGINE COMMAND…\n\nEngines: ${ENGINE_NAMES.join(', ')}, docker-28+vm`,
  );
  process.exit(2);
}
const { env } = await setup({ needs: ['images', 'compose', ...engines.map(needOf)] });
Object.assign(process.env, env);
process.exitCode = await runBeside(engines, command);

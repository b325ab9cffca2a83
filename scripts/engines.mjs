// node scripts/engines.mjs ENGINE [COMMAND…]: runs a command of this folder beside a real engine of another kind, such as
// `node scripts/engines.mjs podman-5 npm run whalemark -- doctor`. Sets up what is missing, and ends everything with the command.
import process from 'node:process';
import { setup } from './setup.mjs';
import { ENGINE_NAMES } from './engines/inside.mjs';
import { runBeside } from './engines/rig.mjs';
import { needOf } from './setup/engines.mjs';

const [name = '', ...command] = process.argv.slice(2);
const engine = ENGINE_NAMES.find((one) => one === name);
if (engine === undefined || command.length === 0) {
  console.error(`node scripts/engines.mjs ENGINE COMMAND…\n\nEngines: ${ENGINE_NAMES.join(', ')}`);
  process.exit(2);
}
const { env } = await setup({ needs: ['images', 'compose', needOf(engine)] });
Object.assign(process.env, env);
process.exitCode = await runBeside(engine, command);

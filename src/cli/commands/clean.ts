import { removeLeftovers } from '../../benchmark/run/leftovers.ts';
import { defaultBindRoot } from '../../benchmark/run/session.ts';
import { parse } from '../args.ts';
import { EXIT } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import { findRuntime } from '../runtime.ts';
import { note, print } from '../terminal.ts';

/** `whalemark clean`: removes what dead runs of this machine left behind. */
export async function cleanCommand(argv: string[]): Promise<number> {
  const { values } = parse(argv, { json: { type: 'boolean' }, context: { type: 'string' } }, 0);
  const runtime = await findRuntime(values.context);
  const { removed, failed } = await removeLeftovers(
    runtime,
    defaultBindRoot(paths.dataDir),
    paths.appVersion,
  );
  if (values.json === true) print(JSON.stringify({ removed, failed }, null, 2));
  else if (removed.length === 0 && failed.length === 0) print('Nothing was left behind.');
  else for (const { kind, name } of removed) print(`removed ${kind} ${name}`);
  for (const { name, error } of failed) note(`could not remove ${name}: ${error.message}`);
  return failed.length === 0 ? EXIT.done : EXIT.someFailed;
}

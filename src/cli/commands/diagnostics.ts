import { diagnosticsText } from '../../benchmark/diagnostics/diagnostics.ts';
import { engineParts } from '../../benchmark/diagnostics/engine-parts.ts';
import { discoverRuntimes } from '../../benchmark/runtime/discovery/discover.ts';
import { SettingsStore } from '../../benchmark/installation/settings-store.ts';
import { checkTargets, writeExport } from '../../benchmark/report/export.ts';
import { parse } from '../options/args.ts';
import { EXIT } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import { note, print } from '../text/terminal.ts';

/** `whalemark diagnostics`: what a bug report needs, without anything private, on stdout or in a file. */
export async function diagnosticsCommand(argv: string[]): Promise<number> {
  const { values } = parse(argv, { out: { type: 'string' }, force: { type: 'boolean' } }, 0);
  const overwriting = { overwrite: values.force === true };
  if (values.out !== undefined) await checkTargets([values.out], overwriting);
  const text = await diagnosticsText({
    dataDir: paths.dataDir,
    appVersion: paths.appVersion,
    program: [`terminal, Node.js ${process.versions.node}`],
    settings: new SettingsStore(paths.dataDir).current,
    engine: await engineParts(paths, () => discoverRuntimes({})),
  });
  if (values.out === undefined) {
    print(text);
    return EXIT.done;
  }
  await writeExport(values.out, Buffer.from(text), overwriting);
  note(`Written to ${values.out}. Read it before you give it away.`);
  return EXIT.done;
}

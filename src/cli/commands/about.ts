import { diagnosticsText } from '../../benchmark/diagnostics/diagnostics.ts';
import { engineParts } from '../../benchmark/diagnostics/engine-parts.ts';
import { discoverRuntimes } from '../../benchmark/runtime/discovery/discover.ts';
import { readLicences } from '../../benchmark/installation/licences.ts';
import { SettingsStore } from '../../benchmark/installation/settings-store.ts';
import { checkTargets, writeExport } from '../../benchmark/report/export.ts';
import { EXIT } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import type { OutOptions } from '../run/out-folder.ts';
import type { JsonOption } from './results.ts';
import { note, print, printJson } from '../text/terminal.ts';

/** `whalemark diagnostics`: what a bug report needs, without anything private, on stdout or in a file. */
export async function diagnostics({ out, force: overwrite = false }: OutOptions): Promise<number> {
  if (out !== undefined) await checkTargets([out], { overwrite });
  const text = await diagnosticsText({
    dataDir: paths.dataDir,
    appVersion: paths.appVersion,
    program: [`terminal, Node.js ${process.versions.node}`],
    settings: new SettingsStore(paths.dataDir).current,
    engine: await engineParts(paths, () => discoverRuntimes({})),
  });
  if (out === undefined) {
    print(text);
    return EXIT.done;
  }
  await writeExport(out, Buffer.from(text), { overwrite });
  note(`Written to ${out}. Read it before you give it away.`);
  return EXIT.done;
}

/** `whalemark licences [--json]`: what ships and is not ours, first a list, then all texts. */
export async function licences({ json }: JsonOption): Promise<number> {
  const all = await readLicences(paths.assetsDir);
  if (json) {
    printJson(all);
    return EXIT.done;
  }
  const names = all.map(({ name, version }) => `${name} ${version}`);
  const width = Math.max(...names.map(({ length }) => length));
  print('Whalemark is free software under the Apache License 2.0. It contains:\n');
  for (const [index, { licence }] of all.entries())
    print(`  ${(names[index] ?? '').padEnd(width)}  ${licence}`);
  for (const [index, { licence, source, text }] of all.entries()) {
    const about = [names[index], licence, source].filter((part) => part !== null).join(' · ');
    print(`\n${'─'.repeat(78)}\n${about}\n\n${text}`);
  }
  return EXIT.done;
}

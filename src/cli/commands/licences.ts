import { readLicences } from '../../benchmark/installation/licences.ts';
import { parse } from '../options/args.ts';
import { EXIT } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import { print, printJson } from '../text/terminal.ts';

/** `whalemark licences [--json]`: what ships and is not ours, first a list, then all texts. */
export async function licencesCommand(argv: string[]): Promise<number> {
  const { values } = parse(argv, { json: { type: 'boolean' } }, 0);
  const all = await readLicences(paths.assetsDir);
  if (values.json === true) {
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

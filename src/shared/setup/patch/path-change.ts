import { isScalar } from 'yaml';
import { words, type ComposeFiles } from './compose-files.ts';
import { changeOptions, commandFile, hasOption } from './options-change.ts';
import { textOf, TextEdits } from './text-edits.ts';
import { isEmpty, refused } from './yaml-file.ts';

export interface PathFacts {
  /** Published on the host; null: none, or one of the engine's choice. */
  port: number | null;
  /** A service that connects over a network of the project. */
  client: string | null;
  /** The engine's machine is a VM, whose network isn't the user's. */
  isVm: boolean;
  isMariaDb: boolean;
}

const SERVER_PORT = 3306;
/** Where other services name the one that they connect to. */
const NAMING = [
  'depends_on',
  'links',
  'external_links',
  'environment',
  'command',
  'network_mode',
  'volumes_from',
];

/** The server on the host's network, at the published port, for this machine only. */
export function onHostNetwork(compose: ComposeFiles, facts: PathFacts): TextEdits {
  if (facts.isVm) throw refused('vm');
  if (facts.client !== null) throw refused('client', { service: facts.client });
  refuseNamed(compose);
  compose.refuseInherited([['ports'], ['networks'], ['network_mode']]);
  const dropped = ['ports', 'networks', 'links'].flatMap((field) => compose.found([field]));
  const modes = compose.found(['network_mode']);
  const mode = modes.at(-1);
  if (mode !== undefined && textOf(mode.value) === 'host') throw refused('already');
  const file = compose.inOneFile([...dropped, ...modes]) ?? commandFile(compose);
  if (commandFile(compose) !== file) {
    const found = compose.found(['command']).at(-1);
    if (found !== undefined) throw found.file.refusal('severalFiles', found.pair.key);
  }
  const edits = new TextEdits(file, compose.service);
  for (const one of dropped) {
    file.claim(one);
    edits.removePair(one.map, one.pair);
  }
  changeOptions(compose, edits, [
    '--bind-address=127.0.0.1',
    ...(facts.port === null || (facts.port === SERVER_PORT && !hasOption(compose, 'port'))
      ? []
      : [`--port=${facts.port}`]),
    // The X protocol has another address.
    ...(facts.isMariaDb ? [] : ['--loose-mysqlx-bind-address=127.0.0.1']),
  ]);
  if (mode === undefined) edits.addPair(compose.serviceIn(file).map, 'network_mode', 'host');
  else {
    file.claim(mode);
    const { value } = mode;
    if (isEmpty(value, file.text) || !isScalar(value)) edits.fill(mode.map, mode.pair, 'host');
    else edits.setScalar(value, 'host');
  }
  return edits;
}

function refuseNamed(compose: ComposeFiles): void {
  const name = new RegExp(`(?<![\\w.-])${compose.service.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`);
  for (const { file, name: service, map } of compose.others()) {
    for (const field of NAMING) {
      const found = file.find([field], map);
      const naming = words(found?.value).find(({ text }) => name.test(text));
      if (naming !== undefined) throw file.refusal('named', naming.node, { service });
    }
  }
}

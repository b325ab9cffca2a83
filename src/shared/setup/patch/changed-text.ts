import type { Message } from '../../message.ts';
import type { SetupChange } from '../../model/setup.ts';
import { SERVER_CHANGES, type ServerChangeId } from '../server-changes.ts';
import { ComposeFiles } from './compose-files.ts';
import { withoutLimits } from './limits-change.ts';
import { changeOptions, commandFile } from './options-change.ts';
import { onHostNetwork, type PathFacts } from './path-change.ts';
import { onStorage } from './storage-change.ts';
import { TextEdits } from './text-edits.ts';
import { unifiedDiff } from './unified-diff.ts';
import { Refusal, refused, type ComposeText } from './yaml-file.ts';

/** What the files alone don't say. */
export interface SetupFacts extends PathFacts {
  datadir: string;
}

export interface ChangedText {
  file: string;
  text: string;
  diff: string;
  /** Of a storage change: what Compose calls the new place. */
  place: string | null;
  /** What else the files say of it. */
  notes: Message[];
}

const NOTHING_MORE = { place: null, notes: [] };

type Edited = Pick<ChangedText, 'place' | 'notes'> & { edits: TextEdits };

/**
 * The one file of a service that a change needs to be different, with all other lines as they are; or why the change
 * isn't made. `level` of a storage change is the kind of storage.
 */
export function changedText(
  texts: readonly ComposeText[],
  service: string,
  change: SetupChange,
  facts: SetupFacts,
): ChangedText | { refusal: Message } {
  try {
    const compose = new ComposeFiles(texts, service);
    compose.home();
    const { edits, ...more } = editsOf(compose, change, facts);
    const { file } = edits;
    const { text, edits: parts } = edits.result();
    return { file: file.file, text: file.mark + text, diff: unifiedDiff(file, parts, service), ...more };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.reason };
    throw error;
  }
}

function editsOf(compose: ComposeFiles, { factor, level }: SetupChange, facts: SetupFacts): Edited {
  if (factor === 'storage' && (level === 'named-volume' || level === 'bind-mount')) {
    return onStorage(compose, level, facts.datadir);
  }
  if (factor === 'path' && level === 'user-bridge') {
    throw facts.client === null
      ? refused('clientMoves', { service: compose.service })
      : refused('clientThere', { service: facts.client });
  }
  if (factor === 'path' && level === 'host-network') {
    return { edits: onHostNetwork(compose, facts), ...NOTHING_MORE };
  }
  if (factor === 'server' && Object.hasOwn(SERVER_CHANGES, level)) {
    return { edits: ofServer(compose, level as ServerChangeId), ...NOTHING_MORE };
  }
  throw refused('noPatch');
}

function ofServer(compose: ComposeFiles, change: ServerChangeId): TextEdits {
  if (change === 'without-limits') return withoutLimits(compose);
  const edits = new TextEdits(commandFile(compose), compose.service);
  changeOptions(compose, edits, SERVER_CHANGES[change].options);
  if (edits.isEmpty) throw refused('already');
  return edits;
}

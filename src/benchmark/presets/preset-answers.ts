import { BenchmarkError } from '../../shared/errors.ts';
import { presetScenarios, type Preset } from '../../shared/model/preset.ts';

/** What a preset can't know: an address below `.invalid` never exists (RFC 6761), so it stands for the user's own. */
const PLACEHOLDER = /\.invalid$/i;

/**
 * Refuses a preset that still needs the user's own NFS server, with PRESET_INCOMPLETE: it names the fields and how to
 * give them. To be asked before anything is planned.
 */
export function requireAnswers(preset: Preset): void {
  const unanswered = presetScenarios(preset).find(({ storage }) =>
    PLACEHOLDER.test(storage.nfs?.address ?? ''),
  );
  if (unanswered === undefined) return;
  const { storageId } = unanswered;
  const place = storageId in preset.storages ? `storages.${storageId}.nfs` : 'the storage’s nfs';
  throw new BenchmarkError(
    'PRESET_INCOMPLETE',
    {
      name: preset.id,
      what: 'the address of your NFS server',
      fields: `${place}.address, ${place}.path`,
      options: `--set ${place}.address=192.168.1.20 --set ${place}.path=/export/mysql`,
    },
    {
      evidence: [
        `${place}.address: the NFS server, as the engine's machine sees it`,
        `${place}.path: the directory that it exports; Whalemark makes a folder of its own in there`,
      ],
    },
  );
}

import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../shared/errors.ts';
import { PRIVATE_FOLDER } from '../../benchmark/files/data-dir.ts';
import { log } from '../../benchmark/log/log.ts';
import { replaceFileNow } from '../../benchmark/files/replace-file.ts';
import type { UpdateState } from '../../shared/model/updates.ts';
import { ReleaseUnknown } from './latest-release.ts';

/** How long an answer is good enough not to ask again by itself. */
const GOOD_FOR_MS = 24 * 60 * 60_000;

/** What is remembered from one start to the next. */
const recordSchema = z.object({
  askedAt: z.number(),
  /** The newest version then; null: nobody answered. */
  latest: z.string().nullable(),
  dismissed: z.string().nullable(),
});
type ReleaseRecord = z.infer<typeof recordSchema>;

export interface UpdateSource {
  /** What to ask; null: nobody is ever asked. */
  address: string | null;
  ownVersion: string;
  /** Where the last answer is kept. */
  file: string;
  latest(address: string, ownVersion: string): Promise<string>;
  now(): number;
}

/** Finds out, once a day at the most unless asked to, whether there is a newer version. A failure is told to nobody who did not ask. */
export class UpdateCheck {
  readonly #source: UpdateSource;
  #record: ReleaseRecord | undefined;
  #failure: ReleaseUnknown['reason'] | undefined;

  constructor(source: UpdateSource) {
    this.#source = source;
    this.#record = readRecord(source.file);
  }

  get state(): UpdateState {
    if (this.#source.address === null) return { kind: 'no-place' };
    if (this.#record === undefined) return { kind: 'not-asked' };
    const { askedAt, latest, dismissed } = this.#record;
    if (this.#failure !== undefined) return { kind: 'failed', askedAt, reason: this.#failure };
    if (latest === null) return { kind: 'not-asked' };
    return isNewer(latest, this.#source.ownVersion)
      ? { kind: 'newer', askedAt, version: latest, isDismissed: dismissed === latest }
      : { kind: 'newest', askedAt };
  }

  /** Asks unless somebody did within a day. A clock that was put back counts as a day. */
  async askIfDue(): Promise<UpdateState> {
    const age = this.#source.now() - (this.#record?.askedAt ?? Number.NEGATIVE_INFINITY);
    return age >= 0 && age < GOOD_FOR_MS ? this.state : this.ask();
  }

  /** Never rejects: that nobody answered is a state, too. */
  async ask(): Promise<UpdateState> {
    const { address, ownVersion, latest, now } = this.#source;
    if (address === null) return this.state;
    let found: string | null = null;
    this.#failure = undefined;
    try {
      found = await latest(address, ownVersion);
    } catch (error) {
      this.#failure = error instanceof ReleaseUnknown ? error.reason : 'unexpected';
      log.info('the newest release is not known', { reason: messageOf(error) });
    }
    this.#keep({
      askedAt: now(),
      latest: found ?? this.#record?.latest ?? null,
      dismissed: this.#record?.dismissed ?? null,
    });
    return this.state;
  }

  /** The newer version that is known now is not to be told again. */
  dismiss(): UpdateState {
    if (this.#record !== undefined) this.#keep({ ...this.#record, dismissed: this.#record.latest });
    return this.state;
  }

  /** Forgetting it costs one more question. */
  #keep(record: ReleaseRecord): void {
    this.#record = record;
    const { file } = this.#source;
    try {
      mkdirSync(dirname(file), PRIVATE_FOLDER);
      replaceFileNow(file, `${JSON.stringify(record)}\n`);
    } catch (error) {
      log.warn('what is known of releases could not be kept', {
        reason: messageOf(error),
      });
    }
  }
}

/** True if version `a` comes after `b`; both are `1.2.3`, and what follows a hyphen or plus does not count. */
export function isNewer(a: string, b: string): boolean {
  const [one, other] = [a, b].map((version) => (version.split(/[-+]/)[0] ?? '').split('.').map(Number));
  for (const place of [0, 1, 2]) {
    const difference = (one?.[place] ?? 0) - (other?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function readRecord(file: string): ReleaseRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

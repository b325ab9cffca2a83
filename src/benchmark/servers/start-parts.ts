import type { InitScript, StartPart } from '../../shared/model/evidence.ts';
import { INIT_DIRECTORY } from '../../shared/compose/init-scripts.ts';
import { keepLine } from './server-log.ts';

const MARKS = {
  startsTemporaryServer: /Starting temporary server/i,
  temporaryServer: /Temporary server started/i,
  stopsTemporaryServer: /Stopping temporary server/i,
  initialized: /init process done/i,
  recoveryBegins:
    /InnoDB initialization has started|InnoDB: (?:Compressed tables use|PUNCH HOLE|Mutexes and rw_locks use)/,
  recoveryEnds: /InnoDB initialization has ended|InnoDB: (?:\S+ started; )?log sequence number \d+/,
};
const ENTRY_POINT = /\[Entrypoint\]/i;
const SCRIPT = new RegExp(`\\b(?:running|sourcing) ${INIT_DIRECTORY}/(.+?)\\s*$`);
/** This script must run last. */
export const ACCOUNT_SCRIPT = '~whalemark.sql';

/** ms since the order to start. Unexplained time counts as the server's. */
export class StartMarks {
  readonly #at: Partial<Record<keyof typeof MARKS, number>> = {};
  readonly scripts: InitScript[] = [];
  #timeZones: number | undefined;
  #script: { name: string; since: number; said: string[] } | undefined;

  get script(): { name: string; said: readonly string[] } | undefined {
    return this.#script;
  }

  see(line: string, ms: number): boolean {
    const [, script] = SCRIPT.exec(line) ?? [];
    const { temporaryServer } = this.#at;
    const isInitialized = MARKS.initialized.test(line);
    const isOfEntryPoint = script !== undefined || isInitialized || ENTRY_POINT.test(line);
    if (this.#script !== undefined && !isOfEntryPoint) {
      keepLine(this.#script.said, line);
      return true;
    }
    if (isOfEntryPoint) this.#endScript(ms);
    if (script !== undefined && script !== ACCOUNT_SCRIPT)
      this.#script = { name: script, since: ms, said: [] };
    if (temporaryServer !== undefined && isOfEntryPoint && !isInitialized)
      this.#timeZones ??= ms - temporaryServer;
    if (isInitialized) {
      // The server that follows is another one.
      delete this.#at.recoveryBegins;
      this.#at.initialized = ms;
    } else if (MARKS.startsTemporaryServer.test(line)) this.#at.startsTemporaryServer = ms;
    else if (MARKS.temporaryServer.test(line)) this.#at.temporaryServer = ms;
    else if (MARKS.stopsTemporaryServer.test(line)) this.#at.stopsTemporaryServer = ms;
    else if (MARKS.recoveryBegins.test(line)) this.#at.recoveryBegins ??= ms;
    else if (MARKS.recoveryEnds.test(line)) this.#at.recoveryEnds = ms;
    return false;
  }

  #endScript(ms: number): void {
    if (this.#script !== undefined)
      this.scripts.push({ name: this.#script.name, ms: ms - this.#script.since });
    this.#script = undefined;
  }

  /** `containerMs`: until the container ran; `startedMs`: until the server was ready. */
  parts(containerMs: number, startedMs: number): Record<Exclude<StartPart, 'login'>, number> {
    const { initialized = containerMs, recoveryBegins, recoveryEnds } = this.#at;
    const within = {
      temporaryServer:
        this.#between('startsTemporaryServer', 'temporaryServer') +
        this.#between('stopsTemporaryServer', 'initialized'),
      timeZones: this.#timeZones ?? 0,
      shellScripts: sumOf(this.scripts.filter(({ name }) => name.endsWith('.sh'))),
      sqlFiles: sumOf(this.scripts.filter(({ name }) => !name.endsWith('.sh'))),
    };
    const known = Object.values(within).reduce((sum, ms) => sum + ms, 0);
    const recovery =
      recoveryBegins === undefined || recoveryEnds === undefined
        ? 0
        : Math.max(0, recoveryEnds - recoveryBegins);
    return {
      container: containerMs,
      initialization: Math.max(0, initialized - containerMs - known),
      ...within,
      recovery,
      server: Math.max(0, startedMs - Math.max(initialized, containerMs) - recovery),
    };
  }

  #between(from: keyof typeof MARKS, to: keyof typeof MARKS): number {
    const { [from]: since, [to]: until } = this.#at;
    return since === undefined || until === undefined ? 0 : Math.max(0, until - since);
  }
}

function sumOf(scripts: readonly InitScript[]): number {
  return scripts.reduce((sum, { ms }) => sum + ms, 0);
}

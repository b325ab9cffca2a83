import type { StartPart } from '../../shared/model/evidence.ts';

/** In the words of MySQL, Percona Server, MariaDB, and their images' entry points. */
const MARKS = {
  temporaryServer: /Temporary server started/i,
  initialized: /init process done/i,
  recoveryBegins:
    /InnoDB initialization has started|InnoDB: (?:Compressed tables use|PUNCH HOLE|Mutexes and rw_locks use)/,
  recoveryEnds: /InnoDB initialization has ended|InnoDB: (?:\S+ started; )?log sequence number \d+/,
};
const ENTRY_POINT = /\[Entrypoint\]/i;

/** ms since the order to start it. What no line says counts as the server's. */
export class StartMarks {
  readonly #at: Partial<Record<keyof typeof MARKS, number>> = {};
  #timeZones: number | undefined;

  see(line: string, ms: number): void {
    const { temporaryServer } = this.#at;
    if (MARKS.initialized.test(line)) {
      // What follows is another server than the one that initialized.
      delete this.#at.recoveryBegins;
      this.#at.initialized = ms;
    } else if (MARKS.temporaryServer.test(line)) this.#at.temporaryServer = ms;
    else if (temporaryServer !== undefined && ENTRY_POINT.test(line))
      this.#timeZones ??= ms - temporaryServer;
    else if (MARKS.recoveryBegins.test(line)) this.#at.recoveryBegins ??= ms;
    else if (MARKS.recoveryEnds.test(line)) this.#at.recoveryEnds = ms;
  }

  /** `containerMs`: until the container ran. `startedMs`: until the server said that it is ready. */
  parts(containerMs: number, startedMs: number): Record<Exclude<StartPart, 'login'>, number> {
    const { initialized = containerMs, recoveryBegins, recoveryEnds } = this.#at;
    const timeZones = this.#timeZones ?? 0;
    const recovery =
      recoveryBegins === undefined || recoveryEnds === undefined
        ? 0
        : Math.max(0, recoveryEnds - recoveryBegins);
    return {
      container: containerMs,
      initialization: Math.max(0, initialized - containerMs - timeZones),
      timeZones,
      recovery,
      server: Math.max(0, startedMs - Math.max(initialized, containerMs) - recovery),
    };
  }
}

import { homedir } from 'node:os';
import { join } from 'node:path';
import { englishOf } from '../../shared/message.ts';
import { ownNames } from '../privacy/own-names.ts';
import { Cleaner, type Whose } from '../privacy/cleaner.ts';
import { RotatingFile, type Rotation } from './rotating-file.ts';
import type { ErrorData } from '../../shared/errors.ts';

type LogLevel = 'info' | 'warn' | 'error';
type LogProcess = 'main' | 'core' | 'cli';
/** Beside the message: data as JSON has it, under names that the line itself doesn't use. */
export type LogFields = Record<string, unknown> &
  Partial<Record<'at' | 'process' | 'pid' | 'level' | 'message', never>>;

/** A longer text loses its middle: nobody's stack is to fill the log. */
const MOST_CHARS = 4_000;
/** Cleaning takes time with the length; what was cut before it must be far from what is cut after it. */
const MOST_CLEANED = 6_000;
const MOST_ENTRIES = 60;

interface Open {
  process: LogProcess;
  file: RotatingFile;
  cleaner: Cleaner;
}

let current: Open | undefined;

/** Where the log is; its older parts are beside it. */
export function logFile(dataDir: string): string {
  return join(logFolder(dataDir), 'whalemark.log');
}

/** The folder of a data folder that the logs are in. */
export function logFolder(dataDir: string): string {
  return join(dataDir, 'logs');
}

/** What this process's log is cleaned with, with all that it has learnt; before there is one, what can be known. */
export function cleanerFor(whose: Whose): Cleaner {
  return current?.cleaner ?? new Cleaner(whose);
}

/** Who this machine belongs to, as texts about it must not tell. */
export function whoseMachine(dataDir: string): Whose {
  return { dataDir, homeDirectory: homedir(), names: ownNames() };
}

/**
 * Opens this process's log: until then, and in tests that don't open it, nothing is written. Returns a function that
 * closes it again.
 */
export function startLog(process: LogProcess, whose: Whose, rotation?: Rotation): () => Promise<void> {
  const lost = (lines: number): string => lineOf(process, 'warn', 'lines are missing here', { lines });
  const file = new RotatingFile(logFile(whose.dataDir), lost, rotation);
  const opened: Open = { process, file, cleaner: new Cleaner(whose) };
  current = opened;
  return async () => {
    if (current === opened) current = undefined;
    await file.flush();
  };
}

/**
 * The log of the process that it is called in: what happened, for whoever reads a bug report. A line is taken at once and
 * written later; whatever goes wrong with it is nobody's trouble. Texts are cleaned here, so callers pass them as they
 * are. Never called for a window or a transaction.
 */
export const log = {
  info: (message: string, fields?: LogFields): void => write('info', message, fields),
  warn: (message: string, fields?: LogFields): void => write('warn', message, fields),
  error: (message: string, fields?: LogFields): void => write('error', message, fields),
  /** Names that must not be in it from now on. */
  hide: (...names: readonly string[]): void => current?.cleaner.learn(names),
  hideSecrets: (...secrets: readonly string[]): void => current?.cleaner.learnSecrets(secrets),
  flush: async (): Promise<void> => current?.file.flush(),
  /** For a process that is about to die. */
  flushNow: (): void => current?.file.flushNow(),
};

function write(level: LogLevel, message: string, fields: LogFields = {}): void {
  if (current === undefined) return;
  const { process, file, cleaner } = current;
  try {
    const clean = cleaner.data(shortened(fields, MOST_CLEANED));
    file.append(lineOf(process, level, cleaner.text(message), shortened(clean, MOST_CHARS)));
  } catch {
    // What JSON can't say is no reason to disturb whoever told it.
  }
}

function lineOf(from: LogProcess, level: LogLevel, message: string, fields: unknown): string {
  const line = { at: new Date().toISOString(), process: from, pid: process.pid, level, message };
  return JSON.stringify(typeof fields === 'object' ? { ...line, ...fields } : line);
}

function shortened(value: unknown, most: number): unknown {
  if (typeof value === 'string') {
    return value.length <= most ? value : `${value.slice(0, most / 2)} … ${value.slice(-most / 2)}`;
  }
  if (Array.isArray(value)) return value.slice(-MOST_ENTRIES).map((one) => shortened(one, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one, most)]));
}

/** What the log tells of an error. The values inside its message stand in the message, and its hint follows from its code. */
export function errorFields({ code, message, evidence }: ErrorData): LogFields {
  return { code, text: message, ...(evidence.length === 0 ? {} : { evidence: evidence.map(englishOf) }) };
}

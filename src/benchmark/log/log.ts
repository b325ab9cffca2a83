import { homedir } from 'node:os';
import { join } from 'node:path';
import { englishOf } from '../../shared/message.ts';
import { ownNames } from '../privacy/redactor.ts';
import { Cleaner, type Whose } from '../privacy/cleaner.ts';
import { RotatingFile } from './rotating-file.ts';
import { type ErrorData, toErrorData } from '../../shared/errors.ts';

type LogLevel = 'info' | 'warn' | 'error';
type LogProcess = 'main' | 'core' | 'cli' | 'sweeper';
export type LogFields = Record<string, unknown> &
  Partial<Record<'at' | 'process' | 'pid' | 'level' | 'message', never>>;

const MOST_CHARS = 4_000;
/** Limits the time for redaction. */
const MOST_CLEANED = 6_000;
const MOST_ENTRIES = 60;

interface Open {
  process: LogProcess;
  file: RotatingFile;
  cleaner: Cleaner;
}

let current: Open | undefined;

export function logFile(dataDir: string): string {
  return join(logFolder(dataDir), 'whalemark.log');
}

export function logFolder(dataDir: string): string {
  return join(dataDir, 'logs');
}

export function cleanerFor(whose: Whose): Cleaner {
  return current?.cleaner ?? new Cleaner(whose);
}

export function whoseMachine(dataDir: string): Whose {
  return { dataDir, homeDirectory: homedir(), names: ownNames() };
}

/** Returns a function that closes the log. */
export function startLog(process: LogProcess, whose: Whose): () => void {
  const lost = (lines: number): string => lineOf(process, 'warn', 'lines are missing here', { lines });
  const file = new RotatingFile(logFile(whose.dataDir), lost);
  const opened: Open = { process, file, cleaner: new Cleaner(whose) };
  current = opened;
  return () => {
    if (current === opened) current = undefined;
  };
}

/** Redacts texts itself. Never throws. */
export const log = {
  info: (message: string, fields?: LogFields): void => write('info', message, fields),
  warn: (message: string, fields?: LogFields): void => write('warn', message, fields),
  error: (message: string, fields?: LogFields): void => write('error', message, fields),
  hide: (...names: readonly string[]): void => current?.cleaner.learn(names),
};

function write(level: LogLevel, message: string, fields: LogFields = {}): void {
  if (current === undefined) return;
  const { process, file, cleaner } = current;
  try {
    const clean = cleaner.data(shortened(fields, MOST_CLEANED));
    file.append(lineOf(process, level, cleaner.text(message), shortened(clean, MOST_CHARS)));
  } catch {}
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

export function errorFields({ code, message, evidence }: ErrorData): LogFields {
  return { code, text: message, ...(evidence.length === 0 ? {} : { evidence: evidence.map(englishOf) }) };
}

/** Electron only warns of unhandled rejections; Node throws them. */
export function logLastWords({ survivesRejections }: { survivesRejections: boolean }): void {
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    log.error('uncaught exception', { origin, error: errorFields(toErrorData(error)) });
  });
  if (survivesRejections) {
    process.on('unhandledRejection', (reason) => {
      log.error('unhandled rejection', { error: errorFields(toErrorData(reason)) });
      process.stderr.write(`Unhandled rejection: ${stackOf(reason)}\n`);
    });
  }
  process.on('exit', (code) => log.info('process ends', { exitCode: code }));
}

function stackOf(reason: unknown): string {
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}

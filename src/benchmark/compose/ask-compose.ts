import * as z from 'zod';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/message.ts';
import { jsonOf } from '../files/json.ts';
import { runLimited } from '../host/limited-program.ts';
import { composeWords } from './compose-words.ts';
import { type ComposeProgram, OLDEST_COMPOSE } from './find-compose.ts';

/** Warnings that Compose prints before the reason. */
const ASIDE = /variable is not set|is obsolete/;
const LIMIT_MS = 10_000;
const MOST_MIB = 8;
const MOST_BYTES = MOST_MIB * 1024 * 1024;
const MOST_WORDS_BYTES = 64 * 1024;

export interface ComposeProject {
  /** The base of relative paths in `files`. */
  folder: string;
  /** Absolute paths; empty: Compose finds its files. */
  files: readonly string[];
  /** `*` means all. */
  profiles?: readonly string[];
  envFile?: string | undefined;
  /** False: variables and values stay as written. */
  isInterpolated?: boolean;
}

const modelSchema = z.looseObject({ services: z.record(z.string(), z.unknown()).nullish() });

/** Output of `config --format json`, whose secrets must not be in logs, errors, and events. */
export interface ComposeModel {
  model: { services: Record<string, unknown>; [key: string]: unknown };
  warnings: string[];
}

/**
 * Compose fetches nothing; rejects with COMPOSE_REFUSED, COMPOSE_TIMEOUT, COMPOSE_TOO_MUCH,
 * COMPOSE_UNREADABLE, COMPOSE_NOT_FOUND, or STOPPED.
 */
export async function askCompose(
  program: ComposeProgram,
  project: ComposeProject,
  {
    signal,
    env = process.env,
    limitMs = LIMIT_MS,
  }: { signal?: AbortSignal; env?: NodeJS.ProcessEnv; limitMs?: number } = {},
): Promise<ComposeModel> {
  const name = project.files[0] ?? project.folder;
  const end = await runLimited(program.command, [...program.before, ...argumentsFor(project)], {
    cwd: project.folder,
    env: environmentOf(env, project.folder),
    ms: limitMs,
    stdoutBytes: MOST_BYTES,
    stderrBytes: MOST_WORDS_BYTES,
    signal,
  });
  switch (end.how) {
    case 'not-started':
      throw new BenchmarkError(
        'COMPOSE_NOT_FOUND',
        { oldest: OLDEST_COMPOSE },
        { evidence: [program.command] },
      );
    case 'late':
      throw new BenchmarkError('COMPOSE_TIMEOUT', { name, seconds: String(limitMs / 1000) });
    case 'too-much':
      throw new BenchmarkError('COMPOSE_TOO_MUCH', { name, count: String(MOST_MIB) });
  }
  const words = composeWords(end.stderr);
  if (end.code !== 0) {
    const told = words.filter((line) => !ASIDE.test(line));
    const [reason = `${program.command}: ${end.code ?? 'killed'}`, ...evidence] = told;
    throw new BenchmarkError('COMPOSE_REFUSED', { name, reason: inOurWords(reason) ?? reason }, { evidence });
  }
  return { model: modelIn(end.stdout, program, project), warnings: words };
}

function inOurWords(reason: string): Message | undefined {
  if (/\b(?:git|OCI) remote resource is disabled/i.test(reason)) return msg('composeProgram.remote');
  const [, service] = /service "([^"]+)" has neither an image nor a build context/.exec(reason) ?? [];
  return service === undefined ? undefined : msg('composeProgram.baseMissing', { service });
}

function argumentsFor({
  folder,
  files,
  profiles = [],
  envFile,
  isInterpolated = true,
}: ComposeProject): string[] {
  return [
    ...(files.length > 0 ? ['--project-directory', folder] : []),
    ...files.flatMap((file) => ['--file', file]),
    ...profiles.flatMap((profile) => ['--profile', profile]),
    ...(envFile === undefined ? [] : ['--env-file', envFile]),
    'config',
    '--format',
    'json',
    ...(isInterpolated ? [] : ['--no-interpolate']),
  ];
}

function environmentOf(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  return {
    ...env,
    // Files may use ${PWD}, which the user's shell sets.
    ...(process.platform === 'win32' ? {} : { PWD: folder }),
    COMPOSE_EXPERIMENTAL_GIT_REMOTE: 'false',
    COMPOSE_EXPERIMENTAL_OCI_REMOTE: 'false',
  };
}

/** The output has secrets, which no error may contain. */
function modelIn(
  stdout: string,
  { command, version }: ComposeProgram,
  { isInterpolated = true }: ComposeProject,
): ComposeModel['model'] {
  // With values filled in, Compose doubles each $.
  const json = isInterpolated ? stdout.replaceAll('$$', () => '$') : stdout;
  const read = modelSchema.safeParse(jsonOf(json));
  if (!read.success) throw new BenchmarkError('COMPOSE_UNREADABLE', { path: command, version });
  return { ...read.data, services: read.data.services ?? {} };
}

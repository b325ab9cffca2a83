import * as z from 'zod';
import { docker } from './docker-server.ts';

const configSchema = z.object({
  CapAdd: z.array(z.string()).nullable(),
  CapDrop: z.array(z.string()).nullable(),
  SecurityOpt: z.array(z.string()).nullable(),
  Privileged: z.boolean(),
  PidsLimit: z.number().nullable(),
  Memory: z.number(),
  NanoCpus: z.number(),
  LogConfig: z.object({ Type: z.string(), Config: z.record(z.string(), z.string()) }),
});

/** Limits of a container of Whalemark's, as the engine has them. */
export interface Limits {
  kept: string[];
  dropped: string[];
  gains: boolean;
  pids: boolean;
  log: boolean;
  /** Memory and processors are the user's: a limit would be measured. */
  resources: boolean;
}

export const LIMITS: Limits = {
  kept: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
  dropped: ['ALL'],
  gains: false,
  pids: true,
  log: true,
  resources: false,
};

/** The limits of a container that is there. */
export async function limitsOf(id: string): Promise<Limits> {
  return limitsIn(JSON.parse(await docker('inspect', '--format', '{{json .HostConfig}}', id)));
}

/** The same of its `HostConfig`. */
export function limitsIn(hostConfig: unknown): Limits {
  const config = configSchema.parse(hostConfig);
  return {
    kept: (config.CapAdd ?? []).map((name) => name.replace(/^CAP_/, '')).sort(),
    dropped: (config.CapDrop ?? []).map((name) => name.replace(/^CAP_/, '')),
    gains:
      config.Privileged || !(config.SecurityOpt ?? []).some((one) => one.startsWith('no-new-privileges')),
    pids: (config.PidsLimit ?? 0) > 0,
    log: config.LogConfig.Config['max-size'] !== undefined,
    resources: config.Memory > 0 || config.NanoCpus > 0,
  };
}

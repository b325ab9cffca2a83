import * as z from 'zod';
import { PRODUCTS, RUNTIME_KINDS } from '../kinds/engines.ts';
import { errorDataSchema } from '../errors.ts';
import { leftThingSchema } from './leftovers.ts';

const dockerFactsSchema = z.object({
  platform: z.enum(['linux', 'darwin', 'win32']),
  wsl: z.boolean(),
  products: z.array(
    z.object({
      product: z.enum(PRODUCTS),
      isRunning: z.boolean(),
      runningSeconds: z.number().nullable(),
    }),
  ),
  hasCommand: z.boolean(),
  services: z.enum(['systemd', 'snap', 'other']),
  user: z.string(),
  sockets: z.array(
    z.object({
      path: z.string(),
      group: z.string(),
      openToGroup: z.boolean(),
      isMember: z.boolean(),
    }),
  ),
});
export type DockerFacts = z.infer<typeof dockerFactsSchema>;

/** `native`: no VM, no sharing layer. */
const fileSharingSchema = z.enum(['native', 'virtiofs', 'grpcfuse', 'osxfs', '9p', 'sshfs', 'unknown']);
export type FileSharing = z.infer<typeof fileSharingSchema>;

/** `wsl2`: also an engine in Whalemark's own distribution. */
const virtualMachineSchema = z.enum(['docker-vmm', 'apple', 'wsl2', 'hyper-v']);
export type VirtualMachine = z.infer<typeof virtualMachineSchema>;

/** The origin of numbers, without host names, user names, paths, and addresses. */
export const passportSchema = z.object({
  runtime: z.object({
    kind: z.enum(RUNTIME_KINDS),
    /** "Docker Desktop 4.67.0", "Docker Engine 20.10.24" */
    name: z.string(),
    engineVersion: z.string(),
    apiVersion: z.string(),
    /** Set only if the engine refuses all known versions. */
    minApiVersion: z.string().optional(),
    vm: z.boolean(),
    rootless: z.boolean(),
    remote: z.boolean(),
    selinux: z.boolean(),
    /** False: the engine can't apply `no-new-privileges` (Docker's snap). */
    noNewPrivileges: z.boolean().optional(),
    /** Container users are mapped (`userns-remap`). */
    userns: z.boolean().optional(),
    operatingSystem: z.string(),
    kernel: z.string(),
    architecture: z.string(),
    cpus: z.number().int(),
    memoryBytes: z.number(),
    storageDriver: z.string(),
    fileSharing: fileSharingSchema,
    /** Host networking reaches the host's loopback (opt-in on Docker Desktop). */
    hostNetworking: z.boolean(),
    virtualMachine: virtualMachineSchema.optional(),
    rosetta: z.boolean().optional(),
  }),
  host: z.object({
    platform: z.enum(['linux', 'darwin', 'win32']),
    release: z.string(),
    architecture: z.string(),
    cpuModel: z.string(),
    cpus: z.number().int(),
    memoryBytes: z.number(),
  }),
});
export type Passport = z.infer<typeof passportSchema>;

const runtimeAttemptSchema = z.object({
  /** `context:<name>`, `env:DOCKER_HOST`, or `socket:<path>`. */
  id: z.string(),
  source: z.enum(['env', 'context', 'socket']),
  label: z.string(),
  endpoint: z.string(),
  askedBy: z.enum(['DOCKER_HOST', 'DOCKER_CONTEXT']).optional(),
  usable: z.boolean(),
  chosen: z.boolean(),
  /** Other attempts with the same `/info` ID. */
  sameAs: z.array(z.string()),
  passport: passportSchema.nullable(),
  /** The engine's own words, for a bug report. */
  says: z.string().optional(),
  error: errorDataSchema.nullable(),
});
export type RuntimeAttempt = z.infer<typeof runtimeAttemptSchema>;

export const runtimeReportSchema = z.object({
  at: z.number(),
  attempts: z.array(runtimeAttemptSchema),
  chosenId: z.string().nullable(),
  facts: dockerFactsSchema.nullable(),
  /** Removed leftovers of the engine in use. */
  removed: z.array(leftThingSchema).optional(),
});
export type RuntimeReport = z.infer<typeof runtimeReportSchema>;

/** Usual places without a socket; empty if no engine is in use. */
export function emptyPlaces({ attempts, chosenId }: Pick<RuntimeReport, 'attempts' | 'chosenId'>) {
  return chosenId === null
    ? []
    : attempts.filter(({ source, error }) => source === 'socket' && error?.code === 'ENDPOINT_MISSING');
}

export function passportInUse(report: RuntimeReport): Passport | undefined {
  return report.attempts.find((attempt) => attempt.id === report.chosenId)?.passport ?? undefined;
}

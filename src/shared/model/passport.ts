import * as z from 'zod';
import { saidSchema } from '../message.ts';
import { RUNTIME_KINDS } from './names.ts';
import { errorDataSchema } from '../errors.ts';
import { dockerFactsSchema } from './docker-facts.ts';

/** How file sharing between the host and the containers is done; `native` = no VM, no sharing layer. */
const fileSharingSchema = z.enum([
  'native',
  'virtiofs',
  'grpcfuse',
  'osxfs',
  'fakeowner',
  '9p',
  'sshfs',
  'unknown',
]);
export type FileSharing = z.infer<typeof fileSharingSchema>;

/** Everything that identifies where numbers come from. No host name, user name, path or address in here. */
export const passportSchema = z.object({
  runtime: z.object({
    kind: z.enum(RUNTIME_KINDS),
    /** As users know it, for example "Docker Desktop 4.67.0" or "Docker Engine 20.10.24". */
    name: z.string(),
    /** Version of the engine itself. */
    engineVersion: z.string(),
    apiVersion: z.string(),
    /** True when containers run in a virtual machine (Docker Desktop, OrbStack, Colima, …). */
    vm: z.boolean(),
    rootless: z.boolean(),
    /** True when the engine runs on another machine than this one. */
    remote: z.boolean(),
    selinux: z.boolean(),
    /** False where no container may be started with `no-new-privileges`: Docker's snap. */
    noNewPrivileges: z.boolean().optional(),
    /** True where users in containers are others outside (`userns-remap`). */
    userns: z.boolean().optional(),
    /** What `/info` calls the operating system of the engine's machine. */
    operatingSystem: z.string(),
    kernel: z.string(),
    architecture: z.string(),
    /** CPUs and memory that containers can use: the VM's on a VM, else the host's. */
    cpus: z.number().int(),
    memoryBytes: z.number(),
    storageDriver: z.string(),
    fileSharing: fileSharingSchema,
    /** Where `fileSharing` was learnt, in words ("settings-store.json", "no VM", …). */
    fileSharingEvidence: saidSchema,
    /** Host networking reaches the host's loopback (native engines; opt-in on Docker Desktop). */
    hostNetworking: z.boolean(),
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

/** One place where a runtime was looked for, and what came of it. */
const runtimeAttemptSchema = z.object({
  /** Stable id to choose this runtime with: `context:<name>`, `env:DOCKER_HOST`, `socket:<path>`. */
  id: z.string(),
  /** Where it was found: a docker context, an environment variable or a well-known socket. */
  source: z.enum(['env', 'context', 'socket']),
  /** Context name or a readable label of the socket ("OrbStack socket"). */
  label: z.string(),
  /** The endpoint, for example unix:///var/run/docker.sock; only for the user's eyes, never exported. */
  endpoint: z.string(),
  /** The environment variable that names it and nothing else; absent: none does. */
  askedBy: z.enum(['DOCKER_HOST', 'DOCKER_CONTEXT']).optional(),
  usable: z.boolean(),
  /** True for the one that is used when nobody chooses. */
  chosen: z.boolean(),
  /** Ids of other attempts that lead to the same engine (same `/info` ID). */
  sameAs: z.array(z.string()),
  passport: passportSchema.nullable(),
  /** Why it is not usable. */
  error: errorDataSchema.nullable(),
});
export type RuntimeAttempt = z.infer<typeof runtimeAttemptSchema>;

/** All that looking for runtimes found. */
export const runtimeReportSchema = z.object({
  at: z.number(),
  attempts: z.array(runtimeAttemptSchema),
  /** Id of the runtime in use, or null when none is usable. */
  chosenId: z.string().nullable(),
  /** What else can be seen of Docker here; only while no runtime is in use. */
  facts: dockerFactsSchema.nullable(),
});
export type RuntimeReport = z.infer<typeof runtimeReportSchema>;

/** The passport of the runtime in use, or undefined when there is none. */
export function passportInUse(report: RuntimeReport): Passport | undefined {
  return report.attempts.find((attempt) => attempt.id === report.chosenId)?.passport ?? undefined;
}

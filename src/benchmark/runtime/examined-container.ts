import * as z from 'zod';

const text = z.string().nullish();
const words = z.union([z.array(z.string()), z.string().transform((one) => [one])]).nullish();
const bindings = z
  .record(z.string(), z.array(z.object({ HostPort: text })).nullish())
  .nullish()
  .transform((ports) => ports ?? {});

/** Values of the environment are dropped. Source: Docker Engine API, ContainerInspect. */
export const examinedSchema = z.object({
  Id: z.string().min(1),
  Name: z.string().transform((name) => name.replace(/^\//, '')),
  Image: z.string().min(1),
  State: z.object({ Running: z.boolean() }),
  Config: z.object({
    Image: z.string().min(1),
    Env: z
      .array(z.string())
      .nullish()
      .transform((all) => (all ?? []).map((one) => one.replace(/=.*$/s, ''))),
    Cmd: words.transform((all) => all ?? []),
    Labels: z
      .record(z.string(), z.string())
      .nullish()
      .transform((labels) => labels ?? {}),
  }),
  HostConfig: z.object({
    NetworkMode: z.string().default('default'),
    NanoCpus: z.number().nullish(),
    CpuQuota: z.number().nullish(),
    CpuPeriod: z.number().nullish(),
    CpusetCpus: text,
    Memory: z.number().nullish(),
    PortBindings: bindings,
    PublishAllPorts: z.boolean().nullish(),
    VolumesFrom: z.array(z.string()).nullish(),
    Tmpfs: z.record(z.string(), z.string()).nullish(),
  }),
  Mounts: z
    .array(
      z.object({
        Type: z.string().default('volume'),
        Name: text,
        Source: text,
        Destination: z.string(),
        Driver: text,
      }),
    )
    .nullish()
    .transform((mounts) => mounts ?? []),
  NetworkSettings: z
    .object({
      Ports: bindings,
      Networks: z
        .record(z.string(), z.unknown())
        .nullish()
        .transform((networks) => Object.keys(networks ?? {})),
    })
    .nullish(),
});
export type ExaminedContainer = z.infer<typeof examinedSchema>;

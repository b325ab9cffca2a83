import * as z from 'zod';

const texts = z.array(z.string());
const amount = z.union([z.number(), z.string()]);

const mountSchema = z.object({
  type: z.string(),
  source: z.string().nullish(),
  target: z.string(),
  tmpfs: z.object({ size: amount.nullish() }).nullish(),
});

const givenSchema = z.array(z.object({ source: z.string(), target: z.string().nullish() })).nullish();

const serviceSchema = z.looseObject({
  image: z.string().nullish(),
  build: z
    .object({
      context: z.string().nullish(),
      dockerfile: z.string().nullish(),
      dockerfile_inline: z.string().nullish(),
      target: z.string().nullish(),
      args: z.record(z.string(), z.string().nullable()).nullish(),
    })
    .nullish(),
  command: texts.nullish(),
  entrypoint: texts.nullish(),
  environment: z.record(z.string(), z.string().nullable()).nullish(),
  volumes: z.array(mountSchema).nullish(),
  /** `TARGET[:OPTIONS]` */
  tmpfs: texts.nullish(),
  volumes_from: texts.nullish(),
  ports: z
    .array(
      z.object({
        target: z.number(),
        published: z.string().nullish(),
        protocol: z.string().nullish(),
        host_ip: z.string().nullish(),
      }),
    )
    .nullish(),
  network_mode: z.string().nullish(),
  networks: z.record(z.string(), z.object({ aliases: texts.nullish() }).nullable()).nullish(),
  depends_on: z.record(z.string(), z.unknown()).nullish(),
  links: texts.nullish(),
  external_links: texts.nullish(),
  container_name: z.string().nullish(),
  hostname: z.string().nullish(),
  platform: z.string().nullish(),
  profiles: texts.nullish(),
  configs: givenSchema,
  secrets: givenSchema,
  healthcheck: z
    .object({
      test: texts.nullish(),
      interval: z.string().nullish(),
      retries: z.number().nullish(),
      start_period: z.string().nullish(),
      disable: z.boolean().nullish(),
    })
    .nullish(),
  scale: z.number().nullish(),
  cpus: amount.nullish(),
  cpu_quota: amount.nullish(),
  cpu_period: amount.nullish(),
  mem_limit: amount.nullish(),
  deploy: z
    .object({
      replicas: z.number().nullish(),
      resources: z
        .object({ limits: z.object({ cpus: amount.nullish(), memory: amount.nullish() }).nullish() })
        .nullish(),
    })
    .nullish(),
});
export type ComposeService = z.infer<typeof serviceSchema>;

const filesSchema = z.record(z.string(), z.object({ file: z.string().nullish() })).nullish();

const volumeSchema = z
  .object({
    name: z.string().nullish(),
    driver: z.string().nullish(),
    driver_opts: z.record(z.string(), z.string()).nullish(),
    external: z.boolean().nullish(),
  })
  .nullable();

/** Output of `docker compose config --format json`, with values and absolute paths. */
export const composeModelSchema = z.object({
  name: z.string(),
  services: z.record(z.string(), serviceSchema).nullish(),
  volumes: z.record(z.string(), volumeSchema).nullish(),
  networks: z.record(z.string(), z.object({ driver: z.string().nullish() }).nullable()).nullish(),
  configs: filesSchema,
  secrets: filesSchema,
});
export type ComposeModel = z.infer<typeof composeModelSchema>;

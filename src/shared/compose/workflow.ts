import * as z from 'zod';
import { fieldsOfOptions, type WrittenFields } from './docker-options.ts';

const anyMap = z.record(z.string(), z.unknown());
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const variables = z.record(z.string(), scalar).catch({});
const texts = z.array(scalar.transform(String)).catch([]);

const serviceSchema = z.object({
  image: z.string(),
  env: variables.optional(),
  ports: texts.optional(),
  volumes: texts.optional(),
  options: z.string().catch('').optional(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  entrypoint: z.string().optional(),
});

const workflowSchema = z.object({
  env: variables.optional(),
  jobs: z.record(
    z.string(),
    z.object({
      services: anyMap.optional().catch({}),
      container: z.unknown().optional(),
      env: variables.optional(),
      strategy: z
        .object({ matrix: anyMap.optional().catch({}) })
        .optional()
        .catch({}),
    }),
  ),
});
type Job = z.infer<typeof workflowSchema>['jobs'][string];

const listedService = z.object({
  name: z.string(),
  image: z.string().optional(),
  alias: z.string().optional(),
  command: z.array(z.string()).optional(),
  variables: variables.optional(),
  environment: variables.optional(),
});
const listedSchema = z.object({
  variables: variables.optional(),
  services: z.array(z.preprocess((one) => (typeof one === 'string' ? { name: one } : one), listedService)),
});

/**
 * Jobs of these tools run in containers. Sources: GitLab's "CI/CD YAML syntax reference" (the name is the
 * image) and Drone's "Services".
 */
function jobsOfLists(content: unknown): Record<string, Job> {
  const { data: own = {} } = anyMap.safeParse(content);
  const jobs: Record<string, Job> = {};
  // Services at the top belong to all jobs.
  for (const [id, job] of Object.entries({ job: own, ...own })) {
    const { data } = listedSchema.safeParse(job);
    if (data === undefined) continue;
    const known = { ...variables.parse(own['variables']), ...data.variables };
    const filled = (text: string): string =>
      text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (whole, name?: string, braced?: string) => {
        const key = name ?? braced ?? '';
        return Object.hasOwn(known, key) ? String(known[key]) : whole;
      });
    const services: Record<string, unknown> = {};
    for (const service of data.services) {
      const { name, image: named, alias = named && name, command, ...more } = service;
      const image = filled(named ?? name);
      const env = { ...known, ...more.variables, ...more.environment };
      services[alias ?? image.replace(/^.*\/|[:@].*$/g, '')] = { image, command, env };
    }
    jobs[id] = { services, container: 'job' };
  }
  return jobs;
}

const MOST_SERVICES = 50;

/**
 * One service per image of a matrix; undefined: none. Source: GitHub's "Workflow syntax for GitHub Actions",
 * jobs.<job_id>.services.
 */
export function servicesOfWorkflow(content: unknown): Record<string, WrittenFields> | undefined {
  const data = workflowSchema.safeParse(content).data ?? { env: {}, jobs: jobsOfLists(content) };
  const services: Record<string, WrittenFields> = {};
  const known = new Set<string>();
  const add = (name: string, fields: WrittenFields): void => {
    const text = JSON.stringify(fields);
    if (known.has(text) || known.size >= MOST_SERVICES) return;
    known.add(text);
    let free = name;
    for (let count = 2; Object.hasOwn(services, free); count += 1) free = `${name}-${count}`;
    services[free] = fields;
  };
  for (const [id, job] of Object.entries(data.jobs)) {
    const names = Object.keys(job.services ?? {});
    for (const name of names) {
      for (const fields of fieldsOf(job.services?.[name], job, data.env ?? {})) add(name, fields);
    }
    const isInside = (job.container ?? null) !== null && names.length > 0;
    // The image of a client makes no difference.
    if (isInside)
      add(id, { image: 'job', depends_on: names.filter((name) => Object.hasOwn(services, name)) });
  }
  return known.size === 0 ? undefined : services;
}

function fieldsOf(written: unknown, job: Job, env: z.infer<typeof variables>): WrittenFields[] {
  const { data } = serviceSchema.safeParse(written);
  if (data === undefined) return [];
  const matrix = job.strategy?.matrix ?? {};
  return variantsOf(data.image, matrix).flatMap((variant) => {
    const filled = (text: string): string =>
      withValues(text, { matrix: variant, env: { ...env, ...job.env } });
    const image = filled(data.image);
    // An empty image starts nothing.
    if (image === '') return [];
    const { volumes = [], ports = [], ...options } = fieldsOfOptions(filled(data.options ?? ''));
    const all = {
      ...options,
      image,
      environment: Object.fromEntries(
        Object.entries(data.env ?? {}).map(([name, value]) => [name, filled(String(value ?? ''))]),
      ),
      ports: [...(data.ports ?? []).map(filled), ...(ports as unknown[])],
      volumes: [...(data.volumes ?? []).map(filled), ...(volumes as unknown[])],
      ...(data.command === undefined
        ? {}
        : { command: typeof data.command === 'string' ? filled(data.command) : data.command }),
      ...(data.entrypoint === undefined ? {} : { entrypoint: filled(data.entrypoint) }),
    };
    return [all];
  });
}

function variantsOf(image: string, matrix: Record<string, unknown>): Record<string, unknown>[] {
  const { include, ...lists } = matrix;
  const listed = Object.entries(lists).flatMap(([key, list]) =>
    Array.isArray(list) ? [[key, list] as const] : [],
  );
  const first = Object.fromEntries(listed.map(([key, list]) => [key, list[0] as unknown]));
  const varied = listed
    .filter(([key]) => image.includes(`matrix.${key}`))
    .flatMap(([key, list]) => list.map((value: unknown) => ({ ...first, [key]: value })));
  const added = Array.isArray(include) ? include.map((one) => anyMap.safeParse(one).data ?? {}) : [];
  const isAdded = added.filter((one) => Object.keys(one).some((key) => image.includes(`matrix.${key}`)));
  const all = [...varied, ...isAdded.map((one) => ({ ...first, ...one }))];
  return all.length === 0 ? [first] : all;
}

const VALUE = /\$\{\{\s*((?:matrix|env)(?:\.[\w-]+)+)\s*(?:\|\|\s*'([^']*)'\s*)?\}\}/g;

/** Values replace `${{ matrix.mysql || '8.4' }}`; other expressions stay. */
function withValues(text: string, contexts: Record<string, unknown>): string {
  return text.replace(VALUE, (whole, path: string, usual?: string) => {
    let value: unknown = contexts;
    for (const key of path.split('.')) value = anyMap.safeParse(value).data?.[key];
    const isKnown = (typeof value === 'string' && value !== '') || typeof value === 'number';
    return isKnown ? String(value) : (usual ?? (value === '' ? '' : whole));
  });
}

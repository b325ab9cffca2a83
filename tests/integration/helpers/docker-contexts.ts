import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Certificates of a context, in PEM. */
export type ContextTls = Partial<Record<'ca' | 'cert' | 'key', string>>;

/** Writes a context into Docker's settings directory, the way `docker context create` does. */
export async function writeContext(
  directory: string,
  name: string,
  host: string,
  options: { tls?: ContextTls; skipVerify?: boolean } = {},
): Promise<void> {
  const id = createHash('sha256').update(name).digest('hex');
  const meta = join(directory, 'contexts', 'meta', id);
  await mkdir(meta, { recursive: true });
  const docker = { Host: host, SkipTLSVerify: options.skipVerify === true };
  await writeFile(
    join(meta, 'meta.json'),
    JSON.stringify({ Name: name, Metadata: {}, Endpoints: { docker } }),
  );
  if (options.tls === undefined) return;
  const tls = join(directory, 'contexts', 'tls', id, 'docker');
  await mkdir(tls, { recursive: true });
  for (const [file, pem] of Object.entries(options.tls)) await writeFile(join(tls, `${file}.pem`), pem);
}

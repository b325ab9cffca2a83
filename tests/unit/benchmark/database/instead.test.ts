import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../../src/benchmark/database/open-database.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { newFolder } from '../../../helpers/folders.ts';
import { inspectAnswer, listed } from './inspected.ts';

it.each(['com.ddev.approot', 'io.lando.root'])(
  'opens the container with the label %s where a stack has written no Compose files yet',
  async (label) => {
    const folder = newFolder();
    writeFileSync(join(folder, '.lando.yml'), 'name: whalemark-none\n');
    const runtime = new FakeRuntime();
    const { id: imageId } = runtime.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.6-1.el9' } });
    const add = (name: string, root: string): void => {
      const one = listed(name, { imageId, labels: { [label]: root } });
      const inspected = inspectAnswer({ Id: one.id, Name: `/${name}`, Image: imageId });
      runtime.others.push({ listed: one, inspected });
    };
    add('other-db', dirname(folder));
    await expect(openDatabase({ target: folder, runtime })).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
    });
    add('shop-db', folder);
    for (const target of [folder, join(folder, '.lando.yml')]) {
      expect((await openDatabase({ target, runtime })).source).toMatchObject({ name: 'shop-db' });
    }
  },
);

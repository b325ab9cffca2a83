import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { englishOf } from '../../../../src/shared/message.ts';
import { importSysbench } from '../../../../src/benchmark/import/sysbench-text.ts';
import { storageText } from '../../../../src/shared/words/labels.ts';
import { toErrorData } from '../../../../src/shared/errors.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import core from '../../../../src/shared/words/locales/zh-CN/core.json' with { type: 'json' };
import { STORAGE_KINDS } from '../../../../src/shared/model/names.ts';
import { storageSpecSchema } from '../../../../src/shared/model/storage-spec.ts';
import { spoken } from '../../../../src/shared/words/spoken.ts';

const chinese = (text: string): string => spoken(text, 'zh-CN');
const NFS = { kind: 'volume-options', nfs: { address: 'nas', path: '/export' } };
const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(chinese(text));

describe('spoken', () => {
  it('says what it knows, with the values inside, which it says, too', () => {
    expect(chinese('named volume')).toBe('命名卷');
    expect(chinese('process 7 of this machine')).toBe('本机的进程 7');
  });

  it('leaves what it does not know as it is, and everything in English', () => {
    for (const text of ['', 'My own scenario', 'Too many connections', 'constructor']) {
      expect(chinese(text)).toBe(text);
    }
    expect(spoken('named volume', 'en')).toBe('named volume');
  });

  it('keeps every value, and no sentence is taken for another one', () => {
    for (const [english, said] of Object.entries(core)) {
      const value = (name: string): string => (name === 'count' ? '7' : `«${name}»`);
      const fill = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => value(name));
      expect(chinese(fill(english)), english).toBe(fill(said));
    }
  });
});

describe('what the core says', () => {
  it('is known: the name of every storage', () => {
    const names = [
      ...STORAGE_KINDS.map((kind) => storageText({ kind }, ENGLISH)),
      storageText(storageSpecSchema.parse(NFS), ENGLISH),
    ];
    // The one that Chinese writes as it is.
    expect(names.filter((name) => !isChinese(name))).toEqual(['tmpfs']);
  });

  it('is known: every remark on an import, and every reason not to import', () => {
    const folder = 'tests/fixtures/sysbench';
    const said = readdirSync(folder)
      .filter((name) => name.endsWith('.txt'))
      .flatMap((name) => {
        try {
          return importSysbench(readFileSync(join(folder, name), 'utf8')).flatMap(({ notes }) =>
            notes.map(({ message }) => message),
          );
        } catch (error) {
          const { params, evidence } = toErrorData(error);
          return [params['reason'] ?? '', ...evidence].map(englishOf);
        }
      });
    expect(new Set(said).size).toBeGreaterThan(8);
    expect([...new Set(said)].filter((text) => !isChinese(text))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../../../src/shared/project/storage.ts';
import { shellWords } from '../../../../src/shared/project/command.ts';
import { baseImage } from '../../../../src/shared/project/image.ts';
import { variablesOf } from '../../../../src/shared/project/environment.ts';
import { interpolated } from '../../../../src/shared/project/interpolate.ts';
import { briefly, readService } from './project-texts.ts';

describe('interpolation', () => {
  const values: Record<string, string> = { SET: 'x', EMPTY: '' };
  const read = (text: string): ReturnType<typeof interpolated> => interpolated(text, (name) => values[name]);
  it.each([
    ['$SET', 'x'],
    ['a${SET}b', 'axb'],
    ['$SETTLED.', '.'],
    ['$$SET', '$SET'],
    ['$$$SET', '$x'],
    ['${SET:-d}', 'x'],
    ['${EMPTY:-d}', 'd'],
    ['${EMPTY-d}', ''],
    ['${NONE:-d}', 'd'],
    ['${NONE-d}', 'd'],
    ['${NONE:-}', ''],
    ['${NONE:-${ALSO:-${SET}}}', 'x'],
    ['${NONE:-a$$b}', 'a$b'],
    ['${SET:+a}', 'a'],
    ['${EMPTY:+a}', ''],
    ['${EMPTY+a}', 'a'],
    ['${NONE+a}', ''],
    ['${SET:?no}', 'x'],
    ['${EMPTY?no}', ''],
    ['100$', '100$'],
    ['$1', '$1'],
  ])('%s becomes %s', (text, expected) => {
    expect(read(text)).toMatchObject({ text: expected, problem: undefined });
  });

  it.each(['${', '${SET', '${1}', '${SET/x/y}', '${NONE:-${SET}', '${}', '${NONE:-'.repeat(50)])(
    'refuses %s',
    (text) => {
      expect(read(text).problem?.code).toBe('compose.interpolation');
    },
  );

  it.each(['${NONE:?canary}', '${NONE?canary}', '${EMPTY:?canary}'])(
    'refuses %s without its text',
    (text) => {
      expect(read(text).problem?.code).toBe('compose.required');
      expect(JSON.stringify(read(text))).not.toContain('canary');
    },
  );

  it('names variables without a value once, not those of unused alternatives', () => {
    expect(read('$A ${A} ${SET:-$B} ${C:-$D}').unset).toEqual(['A', 'D']);
  });

  it('stops at a value that doubles itself', () => {
    expect(interpolated('$A'.repeat(100), () => 'x'.repeat(10_000)).problem?.code).toBe('compose.tooLong');
  });
});

describe('.env', () => {
  it('reads quotes, comments, and earlier variables', () => {
    const text = [
      '# comment',
      'A=1',
      'export B = two words # comment',
      'C="with # and $A and \\"quotes\\"\\n"',
      "D='$A'",
      'E=a#b',
      'F=',
      'G="over',
      'two lines"',
      'no value',
      '1X=2',
      'H=${A}${Z:-z}',
    ].join('\r\n');
    expect([...variablesOf(text, () => undefined)]).toEqual([
      ['A', '1'],
      ['B', 'two words'],
      ['C', 'with # and 1 and "quotes"\n'],
      ['D', '$A'],
      ['E', 'a#b'],
      ['F', ''],
      ['G', 'over\ntwo lines'],
      ['H', '1z'],
    ]);
  });

  it('can’t grow without end', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `V${index + 1}=$V${index}$V${index}`);
    const values = variablesOf(`V0=xxxxxxxxxx\n${lines.join('\n')}`, () => undefined);
    expect(Math.max(...[...values.values()].map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
  });
});

describe('ports', () => {
  it.each([
    ['3306', [null]],
    ['"3306:3306"', [3306]],
    ['13306:3306', [13306]],
    ['"127.0.0.1:3307:3306"', [3307]],
    ['"127.0.0.1::3306"', [null]],
    ['"[::1]:3308:3306/tcp"', [3308]],
    ['"::1:3308:3306"', [3308]],
    ['"3300-3310:3300-3310"', [3306]],
    ['"3310-3320:3306"', [3310]],
    ['"3306:3306/udp"', []],
    ['{ target: 3306, published: 3309 }', [3309]],
    ['{ target: 3306, published: "3309-3311" }', [3309]],
    ['{ target: 3306 }', [null]],
    ['{ target: 3306, published: 3309, protocol: udp }', []],
    ['"8080:80"', []],
  ])('%s: %j', (port, expected) => {
    const { path, otherPaths, refusal } = readService(`ports: [${port}]`);
    expect(refusal).toBeNull();
    const published = [path, ...otherPaths].filter(({ kind }) => kind === 'published-port');
    expect(published.map((one) => one.port)).toEqual(expected);
  });
});

describe('volumes', () => {
  it.each([
    ['data:/var/lib/mysql', 'named-volume', 'shop_data'],
    ['data:/var/lib', 'named-volume', 'shop_data'],
    ['data:/var/lib/mysql/:ro', 'named-volume', 'shop_data'],
    ['/srv/data:/var/lib/mysql', 'bind-mount', '/srv/data'],
    ['.:/var/lib/mysql', 'bind-mount', '/work/shop'],
    ['../x:/var/lib/mysql:cached', 'bind-mount', '/work/x'],
    ['~/x:/var/lib/mysql', 'bind-mount', '/home/ada/x'],
    ['/var/lib/mysql', 'anonymous-volume', null],
    ['data:/var/lib/mysqld', 'anonymous-volume', null],
    ['data:/var/lib/mysql/tmp', 'anonymous-volume', null],
  ])('%s: %s', (volume, kind, place) => {
    expect(readService(`volumes: ["${volume}"]`, 'volumes: { data: }').storage).toMatchObject({
      kind,
      place,
    });
  });

  it.each([
    ['{ type: volume, source: data, target: /var/lib/mysql }', { kind: 'named-volume', place: 'shop_data' }],
    ['{ type: bind, source: ./d, target: /var/lib/mysql }', { kind: 'bind-mount', place: '/work/shop/d' }],
    [
      '{ type: tmpfs, target: /var/lib/mysql, tmpfs: { size: 1g } }',
      { kind: 'tmpfs', spec: { kind: 'tmpfs', sizeMiB: 1024 } },
    ],
    ['{ type: image, source: x, target: /var/lib/mysql }', { spec: null }],
  ])('%s', (volume, expected) => {
    expect(readService(`volumes: [${volume}]`, 'volumes: { data: }').storage).toMatchObject(expected);
  });

  it('says that a mount below the data directory isn’t measured', () => {
    const { warnings } = readService(
      'volumes: ["data:/var/lib/mysql", "/x:/var/lib/mysql/tmp"]',
      'volumes: { data: }',
    );
    expect(warnings.map(briefly)).toContain('4 compose.innerMount');
  });

  it('takes the last volume of one target', () => {
    const { storage } = readService('volumes: [/var/lib/mysql, "data:/var/lib/mysql"]', 'volumes: { data: }');
    expect(storage.kind).toBe('named-volume');
  });
});

it.each([
  ['512m', 2 ** 29],
  ['1.5gb', 1.5 * 2 ** 30],
  ['64 KiB', 2 ** 16],
  ['1048576', 2 ** 20],
  ['0', undefined],
  ['much', undefined],
  [`${'9'.repeat(30)}m`, undefined],
  ['-1', undefined],
])('reads the size %s', (text, bytes) => {
  expect(bytesOf(text)).toBe(bytes);
});

it.each([
  ['mysqld --a=1  --b', ['mysqld', '--a=1', '--b']],
  ['--sql-mode="A, B" \'c d\'e', ['--sql-mode=A, B', 'c de']],
  ['a\\ b ""', ['a b', '']],
])('splits %s like a shell', (text, words) => {
  expect(shellWords(text)).toEqual(words);
});

describe('Dockerfiles', () => {
  const DOCKERFILE = [
    'ARG TAG=8.0',
    'ARG BASE="mysql"',
    'FROM golang:1 AS tools',
    'FROM ${BASE}:${TAG} as db',
    'FROM --platform=linux/amd64 db',
  ].join('\n');
  it.each([
    [undefined, undefined, 'mysql:8.0'],
    ['tools', undefined, 'golang:1'],
    [undefined, '9', 'mysql:9'],
    ['missing', undefined, undefined],
  ])('finds what the stage %s begins with, TAG %s', (target, tag, expected) => {
    const found = baseImage(DOCKERFILE, target, (name) => (name === 'TAG' ? tag : undefined));
    expect(found?.image).toBe(expected);
  });

  it('knows what its stages copy, and where', () => {
    const copies =
      'FROM mysql:8 AS db\nCOPY --chown=mysql a.cnf b.cnf /etc/mysql/conf.d/\nADD ["conf", "/c"]';
    const text = `${copies}\nFROM db\nCOPY --from=db x /x\nCOPY my.cnf /etc/my.cnf`;
    expect(baseImage(text, undefined, () => undefined)?.copied).toEqual([
      { source: 'a.cnf', target: '/etc/mysql/conf.d/a.cnf' },
      { source: 'b.cnf', target: '/etc/mysql/conf.d/b.cnf' },
      { source: 'conf', target: '/c' },
      { source: 'my.cnf', target: '/etc/my.cnf' },
    ]);
  });

  it('ends where stages name each other', () => {
    expect(baseImage('FROM b AS a\nFROM a AS b', undefined, () => undefined)).toBeUndefined();
  });
});

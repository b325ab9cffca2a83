import { describe, expect, it } from 'vitest';
import { applied, changed, yaml } from './patched.ts';

const SECRETS = ['hunter2', 'correct-horse', 's3cret', 'token-1', 'by-comment', 'in-health', 'of-volume'];

const text = yaml(`
  services:
    db:
      image: mysql:8.4
      environment:
        MYSQL_ROOT_PASSWORD: hunter2
        MYSQL_PASSWORD: "correct-horse"
      volumes:
        - ./data:/var/lib/mysql
      # MYSQL_PASSWORD=by-comment
      env_file: s3cret.env
      healthcheck:
        test: mysqladmin ping -pin-health
      mem_limit: 1g
      labels: [key=token-1]
  volumes:
    other:
      driver_opts: {o: "password=of-volume"}
`);
const spaced = text.replace('./data:/var/lib/mysql\n', './data:/var/lib/mysql\n\n').replace('1g\n', '1g\n\n');

function withLines(lines: string): string {
  return yaml(`
      services:
        db:
          image: mysql:8.4
          ${lines}
  `);
}

describe('the diff', () => {
  it.each(['volume', 'flush', 'limits'] as const)('of %s shows no value of another field', (which) => {
    const { diff, text: after } = changed(spaced, which);
    expect(SECRETS.filter((secret) => diff.includes(secret))).toEqual([]);
    expect(applied(spaced, diff)).toBe(after);
    expect(applied(spaced, diff, 'compose.yaml', true)).toBe(after);
  });

  it('has three lines of context where they show nothing', () => {
    const simple = yaml(`
      services:
        db:
          image: mysql
          restart: always
          init: true
          mem_limit: 1g
          user: mysql
          platform: linux/amd64
          hostname: db
          tty: true
    `);
    const { diff } = changed(simple, 'limits');
    expect(diff.split('\n').filter((line) => line.startsWith(' '))).toHaveLength(6);
  });

  it.each(['compose.yaml', 'my compose.yaml', 'a"b.yaml', '数据库.yaml'])(
    'applies to a file named %s',
    (file) => {
      const { diff, text: after } = changed({ [file]: spaced }, 'flush');
      expect(applied(spaced, diff, file)).toBe(after);
    },
  );

  it('has no line with a secret but the one that Git needs behind a change', () => {
    const before = yaml(`
      services:
        db:
          labels: [key=token-1]
          volumes: ["./d:/var/lib/mysql"]
          environment: [MYSQL_ROOT_PASSWORD=hunter2]
          command: --keyring-password=s3cret
    `);
    const { diff, text: after } = changed(before, 'volume');
    expect(SECRETS.filter((secret) => diff.includes(secret))).toEqual(['hunter2']);
    expect(applied(before, diff)).toBe(after);
  });

  it.each([
    ['command: --sync-binlog=1 --x-password=s3cret'],
    ['command: ["--report-password=s3cret", "--sync-binlog=1"]'],
    ['command: --sync-binlog=1 --init-connect s3cret'],
    ['command: --sync-binlog=1\n          environment: {A: s3cret}'],
  ])('comes with a warning if it shows what may be a secret: %s', (lines) => {
    const { diff, notes } = changed(withLines(lines), 'flush');
    expect(diff).toContain('s3cret');
    expect(notes.map(({ code }) => code)).toContain('databasePatch.note.secret');
  });

  it.each([['command: mysqld --sync-binlog=1 --max-connections=9'], ['command: ["--sync-binlog=1"]'], ['']])(
    'comes without a warning if it shows none: %s',
    (lines) => {
      const { notes } = changed(withLines(lines), 'flush');
      expect(notes.map(({ code }) => code)).not.toContain('databasePatch.note.secret');
    },
  );
});

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
      const { diff, text: after } = changed([{ file: `/some/folder/${file}`, text: spaced }], 'flush');
      expect(applied(spaced, diff, file)).toBe(after);
    },
  );

  it('shows a command that names only a way to log in, below a password', () => {
    const before = yaml(`
      services:
        db:
          image: mysql
          environment:
            MYSQL_ROOT_PASSWORD: a-password
          command: --authentication-policy=mysql_native_password --sync-binlog=1
    `);
    const { diff, text: after } = changed(before, 'flush');
    expect(applied(before, diff)).toBe(after);
  });

  it('hides a secret in the word behind its option', () => {
    const before = yaml(`
      services:
        db:
          image: mysql
          command:
            - --keyring-password
            - hunter2
          init: true
    `);
    const { diff, text: after } = changed(before, 'flush');
    expect(diff).not.toContain('hunter2');
    expect(applied(before, diff)).toBe(after);
  });

  it('adds before fields whose values it can’t show', () => {
    const before =
      'services:\n  db:\n    image: mysql\nvolumes:\n  other:\n    driver_opts: {o: password=of-volume}';
    const { diff, text: after } = changed(before, 'volume');
    expect(after).toContain('\nvolumes:\n  db-data:\n  other:\n');
    expect(diff).not.toContain('of-volume');
    expect(applied(before, diff)).toBe(after);
  });

  it('applies at the end of a file whose last line is hidden', () => {
    const hidden = yaml(`
      services:
        db:
          image: mysql
          environment:
            - PASSWORD=hunter2
    `);
    const { diff, text: after } = changed(hidden, 'volume');
    expect(diff).not.toContain('hunter2');
    expect(applied(hidden, diff)).toBe(after);
  });
});

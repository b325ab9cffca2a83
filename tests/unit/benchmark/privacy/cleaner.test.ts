import { describe, expect, it } from 'vitest';
import { Cleaner } from '../../../../src/benchmark/privacy/cleaner.ts';

const whose = {
  dataDir: '/home/ada/.local/share/whalemark',
  homeDirectory: '/home/ada',
  names: { host: 'Adas-Laptop.local', user: 'ada' },
};

describe('a text for the log', () => {
  const { text } = new Cleaner(whose);

  it.each([
    ['/home/ada/.local/share/whalemark/runs/x/result.json', '<data>/runs/x/result.json'],
    ['open /home/ada/secret plans/a.yaml', 'open ~/… plans/a.yaml'],
    ['in /home/ada.', 'in ~/…'],
    ["open '/home/ada/secret plans/a.yaml': denied", "open '~/…': denied"],
    ["open '/Volumes/Acme Backup/x': denied", "open '<path>': denied"],
    ['at f (/home/ada/my/out/main/core.cjs:12:3)', 'at f (<app>/core.cjs:12:3)'],
    ['user ada of adas-laptop', 'user <private> of <private>'],
    ['ada_db_1 and Adam', '<private>_db_1 and Adam'],
    ['ssh: me@build-box: Permission denied', 'ssh: <address>: Permission denied'],
    ['ssh: é@build-box, étienne@büro.example: denied', 'ssh: <address>, <address>: denied'],
    ['ssh: 李@主机, e\u0301va+x@host', 'ssh: <address>, <address>'],
    ['mysql://me:p@ss,w/o"rd@db:3306', '<endpoint>'],
    ['https://me:pw@registry.example/v2/', '<endpoint>'],
    ['Access denied for user ‘x’ (using password: YES)', 'Access denied for user ‘x’ (using password: YES)'],
    [
      'MYSQL_PWD=hunter2 --password hunter2 password: "hunter 2"',
      'MYSQL_PWD=<password> --password <password> password: <password>',
    ],
    [
      'A temporary password is generated for root@localhost: aB3;x',
      'A temporary password is generated for <address>: <password>',
    ],
    ["ALTER USER x IDENTIFIED BY 'a b'", 'ALTER USER x IDENTIFIED BY <password>'],
    ['mysql@sha256:0a1b stays', 'mysql@sha256:0a1b stays'],
  ])('%s → %s', (raw, clean) => {
    expect(text(raw)).toBe(clean);
  });

  it('knows folders of Windows, however they are written', () => {
    const windows = new Cleaner({
      dataDir: 'C:\\Users\\ada\\AppData\\Roaming\\Whalemark',
      homeDirectory: 'C:\\Users\\ada',
      names: {},
    });
    expect(windows.text('C:\\Users\\ada\\AppData\\Roaming\\Whalemark\\logs')).toBe('<data>\\logs');
    expect(windows.text('"C:\\\\Users\\\\ada\\\\x.yaml" c:/users/ada/y')).toBe('"~/…" ~/…');
  });

  it('takes a folder that it has learnt out as a whole, also below home', () => {
    const cleaner = new Cleaner(whose);
    cleaner.learn(['/home/ada/Acme plans', '/data/acme']);
    expect(cleaner.text('at /home/ada/Acme plans, /data/acme/x and /data/acme2')).toBe(
      'at <path>, <path>/x and /data/acme2',
    );
  });

  it('takes no whole disk for somebody’s folder, and no common name for somebody', () => {
    const { text: clean } = new Cleaner({
      dataDir: '/',
      homeDirectory: '/',
      names: { user: 'root', host: 'x' },
    });
    expect(clean('root / of /var/lib/mysql on x')).toBe('root / of /var/lib/mysql on x');
  });
});

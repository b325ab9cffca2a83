import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusedOption } from '../../../../src/shared/options/tuning.ts';

/** Options for each way to harm a user: code, files, addresses, the datadir, logins, and settings of the run. */
const HARMFUL = words(`
  plugin-dir plugin-load plugin-load-add early-plugin-load wsrep-provider wsrep-notify-cmd log-error-services
  gdb debug chroot user initialize bootstrap core-file datadir basedir tmpdir secure-file-priv general-log-file
  slow-query-log-file log-bin-index innodb-data-home-dir innodb-data-file-path innodb-undo-directory
  innodb-directories innodb-tmpdir innodb-ft-server-stopword-table innodb-redo-log-archive-dirs
  character-sets-dir relay-log pid-file bind-address port extra-port admin-address mysqlx-bind-address
  networking socket report-host redirect-url feedback-url ndb-connectstring proxy-protocol-networks
  grant-tables init-file init-connect ssl-ca require-secure-transport mandatory-roles defaults-file
  defaults-extra-file log-error innodb-buffer-pool-size innodb-redo-log-capacity log-bin server-id sync-binlog
  lower-case-table-names innodb-read-only super-read-only
`);
const PREFIXES = ['', ...words('loose- skip- enable- disable- maximum- loose-skip- skip-loose- skip-skip-')];

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

describe('an option of the user', () => {
  it('is refused in every spelling that a server takes for one that harms', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HARMFUL),
        fc.constantFrom(...PREFIXES),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom('', '=', '=1', '=/tmp/x', '=x.so'),
        (name, prefix, dashes, upper, value) => {
          const spelled = `${prefix}${name}`.replaceAll('-', dashes ? '-' : '_');
          expect(refusedOption(`--${upper ? spelled.toUpperCase() : spelled}${value}`)).toBeTypeOf('string');
        },
      ),
    );
  });

  it.each([
    '-P3307',
    '--basedi=.',
    '--plugin-di=sub',
    '--plugin-load-ad=evil',
    '--bind-addr=0.0.0.0',
    '--skip-grant',
    '--datadi=victim',
    '--set-variable=port=1',
    '--constructor=1',
    '--innodb-io-capacit=200',
    `--${'loose-'.repeat(1000)}x`,
  ])('is refused: %s', (option) => {
    expect(refusedOption(option)).toBeTypeOf('string');
  });

  it.each([
    ['--innodb-buffer-pool-size=1G', 'server.settings.bufferPool'],
    ['--skip-log-bin', 'server.settings.binlog'],
    ['--innodb-io-capacity-ma=200', 'innodb-io-capacity-max'],
  ])('is told what to write instead of %s', (option, remedy) => {
    expect(refusedOption(option)).toContain(remedy);
  });

  it.each([
    '--innodb-io-capacity=200',
    '--INNODB_IO_CAPACITY=200',
    '--skip-innodb-adaptive-hash-index',
    '--loose-innodb-adaptive-hash-index=OFF',
    '--loose-disable-innodb-adaptive-hash-index',
    '--maximum-max-heap-table-size=32M',
    '--skip-name-resolve',
    '--performance-schema-instrument=wait/%=ON',
    '--sql-mode=',
    '--general-log',
  ])('is taken: %s', (option) => {
    expect(refusedOption(option)).toBeUndefined();
  });
});

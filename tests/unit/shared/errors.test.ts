import { describe, expect, it } from 'vitest';
import { BenchmarkError, toErrorData, withoutUrlPasswords } from '../../../src/shared/errors.ts';

describe('passwords of addresses in errors', () => {
  it.each([
    ['mysql://root:s3cret@db.example:3306', 'mysql://root:<password>@db.example:3306'],
    ['mariadb://me:p%40ss%2Fword@[::1]:3306', 'mariadb://me:<password>@[::1]:3306'],
    // People often forget to percent-encode a password.
    ['“mysql://root:a/b@c:d@host” is no preset', '“mysql://root:<password>@host” is no preset'],
    ['tcp://u:pw@10.0.0.1:2375 and ssh://x:y@z', 'tcp://u:<password>@10.0.0.1:2375 and ssh://x:<password>@z'],
  ])('%s', (text, safe) => {
    expect(withoutUrlPasswords(text)).toBe(safe);
    expect(withoutUrlPasswords(safe)).toBe(safe);
  });

  it('leave alone what holds none, and our own examples', () => {
    for (const text of [
      'https://registry.example:5000/v2/',
      'Write mysql://user:password@host:3306.',
      'root@localhost: denied',
      'docker.io/library/mysql:8.4@sha256:00ff',
    ]) {
      expect(withoutUrlPasswords(text)).toBe(text);
    }
  });

  it('are neither in message, hint, evidence nor values, whoever made the error', () => {
    const dsn = 'mysql://root:s3cret@db.example';
    const told = [
      new BenchmarkError('PRESET_UNKNOWN', { name: dsn, known: 'a' }).toData(),
      new BenchmarkError('USAGE', { problem: 'x', fix: dsn }, { evidence: [`tried ${dsn}`] }).toData(),
      toErrorData(new Error(`connect ${dsn}`)),
    ];
    expect(JSON.stringify(told)).not.toContain('s3cret');
    expect(told[0]?.params['name']).toBe('mysql://root:<password>@db.example');
  });
});

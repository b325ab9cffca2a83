import { describe, expect, it } from 'vitest';
import { judge } from '../../../scripts/audit/judge.mjs';

const shipped = [
  { name: 'mysql2', version: '3.9.0' },
  { name: 'zod', version: '4.6.7' },
];
const report = (...found: [name: string, severity: string][]): string =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      found.map(([name, severity]) => [
        name,
        {
          name,
          severity,
          via: ['other', { title: `${name} runs code`, url: 'https://github.com/advisories/x' }],
        },
      ]),
    ),
  });

describe('the audit of what ships', () => {
  it.each(['high', 'critical'])('fails for a hole that is %s in something that ships', (severity) => {
    const { lines, exitCode } = judge(report(['mysql2', severity]), shipped);
    expect(exitCode).toBe(1);
    expect(lines[0]).toBe(
      `${severity}: mysql2 3.9.0 ships. mysql2 runs code https://github.com/advisories/x`,
    );
  });

  it('names a moderate one, and only counts what does not ship', () => {
    const { lines, exitCode } = judge(report(['zod', 'moderate'], ['vite', 'critical']), shipped);
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      'moderate: zod 4.6.7 ships. zod runs code https://github.com/advisories/x',
      "2 packages ship, 0 of them with holes that are high or critical; 1 findings in tools that don't ship.",
    ]);
  });

  it('does not call a registry that can’t be asked clean', () => {
    const refused = JSON.stringify({ message: '405 Method Not Allowed - POST https://registry/audit' });
    expect(judge(refused, shipped)).toEqual({
      lines: ['This registry has no audit here: 405 Method Not Allowed - POST https://registry/audit'],
      exitCode: 3,
    });
    expect(judge('', shipped).exitCode).toBe(3);
  });
});

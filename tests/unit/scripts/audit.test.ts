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
  it('fails for a grave hole in something that ships, names a moderate one, and counts what does not ship', () => {
    const found = judge(report(['mysql2', 'high'], ['zod', 'moderate'], ['vite', 'critical']), shipped);
    expect(found).toEqual({
      exitCode: 1,
      lines: [
        'high: mysql2 3.9.0 ships. mysql2 runs code https://github.com/advisories/x',
        'moderate: zod 4.6.7 ships. zod runs code https://github.com/advisories/x',
        "2 packages ship, 1 of them with holes that are high or critical; 1 findings in tools that don't ship.",
      ],
    });
    expect(judge(report(['mysql2', 'critical']), shipped).exitCode).toBe(1);
    expect(judge(report(['zod', 'moderate'], ['vite', 'critical']), shipped).exitCode).toBe(0);
  });

  it('does not call a registry that can’t be asked clean', () => {
    const refused = judge(JSON.stringify({ message: '405 Method Not Allowed' }), shipped);
    expect(refused.lines.join()).toContain('405 Method Not Allowed');
    expect([refused.exitCode, judge('', shipped).exitCode]).toEqual([3, 3]);
  });
});

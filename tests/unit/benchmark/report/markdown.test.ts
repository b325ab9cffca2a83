import { expect, it } from 'vitest';
import { escapeMarkdown } from '../../../../src/benchmark/report/markdown.ts';

it('Markdown escapes what means something, and nothing else', () => {
  expect(escapeMarkdown('a|b `c` <d> *e* _f_ [g](h) ~i~ $j$ & \\ #k')).toBe(
    'a\\|b \\`c\\` \\<d\\> \\*e\\* \\_f\\_ \\[g\\](h) \\~i\\~ \\$j\\$ \\& \\\\ \\#k',
  );
  expect(escapeMarkdown('oltp_read_write, 10.1 ms; 4 × 25,000')).toBe('oltp_read_write, 10.1 ms; 4 × 25,000');
  expect(escapeMarkdown('1. first\n- second')).toBe('1\\. first - second');
  expect(escapeMarkdown('- x')).toBe('\\- x');
  expect(escapeMarkdown('see https://a.b and @octocat')).toBe('see https:\u2060//a.b and @\u2060octocat');
});

import { expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import {
  machineText,
  methodText,
  publishedBaselineText,
  publishedText,
  serversText,
} from '../../../../src/shared/words/provenance.ts';
import { sharingText } from '../../../../src/shared/words/wording.ts';
import { loadGeneratorsState, tpccState } from '../../benchmark/report/states.ts';
import { sampleState } from '../../builders.ts';

const t = createTranslator('en');

it('machine, servers, and method are a line each', () => {
  const state = sampleState();
  expect(machineText(state, t)).toBe('Docker Engine 28.1.1 · engine without a VM · 8 CPUs · 16 GiB');
  expect(serversText(state.plan, t)).toBe('MySQL 8.0.42 (local image mysql:8.0 used instead of mysql:8.4)');
  expect(methodText(state, analyze(state), t)).toBe(
    '5 interleaved rounds × 5 s, 8 connections, oltp_read_write, 4 × 25,000 rows, ratios paired within rounds, 95% CI',
  );
});

it('a workload like TPC-C is not called audited, and every server is named', () => {
  const state = tpccState();
  expect(methodText(state, analyze(state), t)).toContain('tpcc (TPC-C-like, not audited), 2 warehouses');
  expect(serversText(state.plan, t)).toMatch(
    /^MySQL 8\.4\.5 \(mysql:8\.4\) · MariaDB 11\.8\.6 \(mariadb:11\.8\) · Percona Server 8\.0\.42-33 \(local image/,
  );
});

it('published numbers come with who published them, on what, and what they are relative to', () => {
  const state = loadGeneratorsState();
  const { reference } = state.plan;
  if (reference === null) throw new Error('nothing was published');
  expect(publishedText(reference, t)).toBe(
    'Measuring Percona Server Docker CPU/network overhead. Vadim Tkachenko, Percona blog, 2016-02-05. Xeon E5-2643 v2 at 3.50 GHz (24 hardware threads), 256 GB RAM',
  );
  expect(publishedBaselineText(analyze(state), t)).toBe(t('report:published.normalized'));
});

it('what was left out is counted, and what was included is named', () => {
  expect(sharingText({ included: ['host'], leftOut: { path: 3, secret: 1 } }, t)).toBe(
    'Removed: folders and files (3×), passwords and mount options (1×). Included at your request: host names.',
  );
  expect(sharingText({ included: [], leftOut: {} }, t)).toBe('Nothing had to be removed.');
});

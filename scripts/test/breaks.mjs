const SIDE_BY_SIDE = 'tests/unit/shared/statistics/side-by-side.test.ts';

/**
 * A file of the product, a text that it has once, the broken text, and the tests that notice (default: those
 * next to it).
 *
 * @type {[file: string, line: string, broken: string, tests?: string][]}
 */
export const BREAKS = [
  // Texts that leave the machine.
  [
    'src/benchmark/report/csv.ts',
    `text.replace(FORMULA, "$1'")`,
    'text',
    'tests/unit/benchmark/report/hostile.test.ts',
  ],
  ['src/shared/pictures/svg.ts', `.replace(/</g, '&lt;')`, '', 'tests/unit/benchmark/report/'],
  ['src/benchmark/privacy/redactor.ts', `this.#took('secret', \`\${before}:\${PASSWORD}@\`)`, 'before'],
  ['src/benchmark/privacy/redactor.ts', `.replace(IPV4, () => this.#took('address', '<address>'))`, ''],
  // Removal of leftovers.
  ['src/benchmark/runtime/sweep.ts', `isOwnerAlive(owner) === 'dead'`, `isOwnerAlive(owner) !== 'alive'`],
  ['src/benchmark/runtime/sweep.ts', 'name === own ||', 'true ||'],
  [
    'src/benchmark/servers/storage/bind-directory.ts',
    'foreign.length > 0',
    'foreign.length > 99',
    'tests/fuzz/',
  ],
  ['src/shared/kinds/taken-folders.ts', '(?:root|home|', '(?:root|'],
  [
    'src/benchmark/store/run-claim.ts',
    `=== 'dead' ? undefined : text`,
    `=== 'alive' ? text : undefined`,
    'tests/unit/benchmark/two-writers.test.ts',
  ],
  // The window.
  ['src/main/window/security.ts', 'EXTERNAL_LINKS.includes(address)', `address.startsWith('https://')`],
  ['src/main/window/security.ts', ` && username === ''`, ''],
  // Statistics.
  ['src/shared/statistics/claims.ts', 'alpha / (known.length - rank)', 'alpha'],
  ['src/shared/statistics/claims.ts', `estimate.value < 1 ? 'slower'`, `estimate.value > 1 ? 'slower'`],
  ['src/shared/statistics/claims.ts', 'outside <= sameAt', 'outside <= 2 * sameAt'],
  ['src/shared/statistics/paired-ratio.ts', 'count >= ENOUGH_SAMPLES', 'count >= 2'],
  ['src/shared/statistics/spending.ts', 'look / planned) ** power', 'look / planned) ** 0'],
  ['src/shared/statistics/signed-rank.ts', 'if (byRanks > rarest) return byRanks;', ''],
  ['src/shared/statistics/signed-rank.ts', 'sums[Math.max(0, cut - 1)]', 'sums[cut]'],
  [
    'src/shared/statistics/components.ts',
    '(count * (low + high)) / 2',
    '0',
    'tests/unit/benchmark/store/equal-servers.test.ts',
  ],
  ['src/shared/analysis/contrast.ts', '...of(servers.clone, serverShare),', '', SIDE_BY_SIDE],
  ['src/shared/analysis/contrast.ts', 'chanceOf(apart) < BY_CHANCE', 'chanceOf(apart) < 0'],
  [
    'src/shared/analysis/contrast.ts',
    '(one.durationMs / meanMs) * ',
    '',
    'tests/unit/shared/analysis/speeds.test.ts',
  ],
  [
    'src/shared/analysis/recommendations.ts',
    'share >= THROTTLED',
    'share >= 9',
    'tests/unit/shared/analysis/advice-catalog.test.ts',
  ],
  ['src/shared/analysis/waterfall.ts', 'Math.min(roundTripUs ?? 0, fastestUs)', 'roundTripUs ?? 0'],
  ['src/shared/analysis/durability.ts', `waitedUs < FAST_US ? 'not-waited'`, `waitedUs > 0 ? 'not-waited'`],
  ['src/shared/options/losses.ts', `value === '0' ? ['crash']`, `value === '0' ? ['last-second']`],
  ['src/benchmark/servers/storage/flush-meter.ts', 'Math.max(most, above)', 'most'],
  // Measuring.
  ['src/benchmark/run/pass.ts', `=== 'again') missed`, `=== 'over') missed`],
  [
    'src/benchmark/servers/server.ts',
    'this.#isFrozen = false;\n      throw',
    'throw',
    'tests/unit/benchmark/servers/server-life.test.ts',
  ],
  ['src/benchmark/run/totals.ts', 'of [sum, more]) addCounts', 'of [more]) addCounts'],
  ['src/benchmark/run/totals.ts', 'durationMs: sum.durationMs + more', 'durationMs: more'],
  ['src/benchmark/run/stop-rule.ts', 'this.#taken >= passesOf(this.plan)', 'true'],
  ['src/benchmark/run/stop-rule.ts', '(leftMs < nextMs && isEnough)', 'leftMs < nextMs'],
  ['src/benchmark/run/same-bench.ts', 'before !== now', 'before === undefined'],
  ['src/benchmark/plan/groups.ts', 'MEMORY_SHARE = 0.6', 'MEMORY_SHARE = 6'],
  ['src/benchmark/tasks/proven-use.ts', 'if (isUsed) return ms', 'if (isUsed || ms > 0) return ms'],
  ['src/benchmark/load/builtin/windows.ts', 'begin < untilMs &&', 'begin > untilMs &&'],
  ['src/benchmark/load/builtin/counts.ts', 'answer.affectedRows > 0', 'answer.affectedRows > 1'],
  ['src/benchmark/load/builtin/oltp/distribution.ts', '1 + Math.floor(random() * tableSize)', 'tableSize'],
  ['src/benchmark/load/builtin/windows.ts', 'this.#excludedMs += durationMs', 'this.#excludedMs += 0'],
  ['src/benchmark/load/builtin/oltp/distribution.ts', 'random() ** PARETO_POWER', 'random() ** 2'],
  [
    'src/benchmark/load/builtin/wire/packets.ts',
    'bytes[at + 1] = (value >> 8)',
    'bytes[at + 1] = (value >> 7)',
  ],
  // A run on disk.
  ['src/benchmark/store/journal.ts', 'await file.truncate(end.bytes)', 'await file.truncate(end.bytes + 1)'],
  ['src/benchmark/store/equal-servers.ts', `outcome !== 'completed' || `, ''],
  ['src/benchmark/store/result-file.ts', 'version !== RESULT_VERSION', 'version > RESULT_VERSION'],
  ['src/shared/run/continuing.ts', 'isOver ? begun + 1 : begun', 'begun + 1'],
  ['src/shared/run/reduce.ts', 'trial.round < first', 'trial.round <= first', 'tests/unit/shared/run/'],
  // Breaks between window and core.
  ['src/main/requests/router.ts', 'if (!parsed.success) return', 'if (parsed.error === null) return'],
  ['src/renderer/screens/Plan.svelte', 'plan === undefined || lacksConsent ||', 'plan === undefined ||'],
  ['src/shared/errors.ts', 'mapSaid(value, withoutUrlPasswords)', 'value'],
  // The terminal.
  ['src/cli/exit-codes.ts', 'return EXIT.nothingMeasured;\n  const', 'return EXIT.done;\n  const'],
];

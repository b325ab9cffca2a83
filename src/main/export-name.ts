import type { ExportFormat } from '../shared/ipc.ts';

/** Extension of each export's file. */
export const EXTENSIONS: Record<ExportFormat, string> = {
  csv: 'csv',
  'windows-csv': 'csv',
  png: 'png',
  json: 'json',
};

/** A name that says what and when, for example `compare-my-setup-20260102-1530-windows.csv`. */
export function exportFileName(
  state: { runId: string; plan: { preset: { id: string } } },
  format: ExportFormat,
): string {
  const stamp = /^\d{8}-\d{4}/.exec(state.runId)?.[0] ?? state.runId;
  const suffix = format === 'windows-csv' ? '-windows' : '';
  const stem = `${state.plan.preset.id}-${stamp}${suffix}`.replace(/[^\w.~-]+/g, '_');
  return `${stem}.${EXTENSIONS[format]}`;
}

import type { ExportFormat } from '../../shared/model/sharing.ts';

/** Extension of each export's file. */
export const EXTENSIONS: Record<ExportFormat, string> = {
  csv: 'csv',
  'windows-csv': 'csv',
  png: 'png',
  html: 'html',
  md: 'md',
  // The system opens files by their last extension only, and .json belongs to everybody.
  json: 'whalemark',
};

/** A name that says what and when, for example `compare-my-setup-20260102-1530-windows.csv`. */
export function exportFileName(
  state: { runId: string; plan: { preset: { id: string } } },
  format: ExportFormat,
): string {
  const stamp = /^\d{8}-\d{4}/.exec(state.runId)?.[0] ?? state.runId;
  const suffix = format === 'windows-csv' ? '-windows' : '';
  return `${safe(`${state.plan.preset.id}-${stamp}${suffix}`)}.${EXTENSIONS[format]}`;
}

/** The file of a preset. */
export function presetFileName(id: string): string {
  return `${safe(id)}.yaml`;
}

function safe(stem: string): string {
  return stem.replace(/[^\w.~-]+/g, '_');
}

/** The registry can't be asked. */
export const NO_AUDIT = 3;

const GRAVE = new Set(['high', 'critical']);

/**
 * Exit code 1 for a high or critical finding in packages that ship.
 *
 * @param {string} report
 * @param {{ name: string, version: string }[]} shipped
 * @returns {{ lines: string[], exitCode: number }}
 */
export function judge(report, shipped) {
  /** @type {{ message?: string, error?: { summary?: string }, vulnerabilities?: Record<string, Vulnerability> }} */
  let parsed = {};
  try {
    parsed = JSON.parse(report);
  } catch {
    // The missing field is reported below.
  }
  const { vulnerabilities } = parsed;
  if (vulnerabilities === undefined) {
    const why = parsed.message ?? parsed.error?.summary ?? 'it gave no report';
    return { lines: [`This registry has no audit here: ${why}`], exitCode: NO_AUDIT };
  }
  const names = new Map(shipped.map(({ name, version }) => [name, version]));
  const found = Object.values(vulnerabilities);
  const ships = found.filter(({ name }) => names.has(name));
  const grave = ships.filter(({ severity }) => GRAVE.has(severity));
  const lines = ships.map(({ name, severity, via }) => {
    const titles = via.flatMap((one) => (typeof one === 'string' ? [] : [`${one.title} ${one.url}`]));
    return `${severity}: ${name} ${names.get(name)} ships. ${[...new Set(titles)].join('; ')}`.trim();
  });
  const tools = found.length - ships.length;
  return {
    lines: [
      ...lines,
      `${shipped.length} packages ship, ${grave.length} of them with holes that are high or critical; ${tools} findings in tools that don't ship.`,
    ],
    exitCode: grave.length > 0 ? 1 : 0,
  };
}

/** @typedef {{ name: string, severity: string, via: (string | { title: string, url: string })[] }} Vulnerability */

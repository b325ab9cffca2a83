import { escapeXml } from '../../src/shared/pictures/svg.ts';

/** What a V8 CPU profile holds of interest here (Chrome DevTools Protocol, Profiler.Profile). */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  /** µs since the sample before. */
  timeDeltas: number[];
}

interface Frame {
  name: string;
  us: number;
  children: Map<string, Frame>;
}

const WIDTH = 1200;
const ROW = 18;
const CHARACTER = 6.6;
/** Time in which no JavaScript ran is not drawn, only told. */
const IDLE = '(idle)';

/** Calls from the bottom up, as wide as their share of the time in which the thread was busy. */
export function flameGraph(profile: CpuProfile, title: string): string {
  const { root, idleUs } = framesOf(profile);
  const depth = depthOf(root);
  const height = (depth + 3) * ROW;
  const total = root.us + idleUs;
  const boxes: string[] = [];
  const draw = (frame: Frame, level: number, x: number): void => {
    const width = (frame.us / root.us) * WIDTH;
    if (width < 0.3) return;
    const y = height - (level + 1) * ROW;
    const label = frame.name.slice(0, Math.max(0, Math.floor(width / CHARACTER) - 1));
    const share = ((100 * frame.us) / root.us).toFixed(1);
    boxes.push(
      `<g><title>${escapeXml(frame.name)}: ${share} %</title>` +
        `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.3, width - 0.5).toFixed(1)}" height="${ROW - 1}" fill="${color(frame.name)}"/>` +
        (label.length < 3 ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 13}">${escapeXml(label)}</text>`) +
        '</g>',
    );
    let next = x;
    for (const child of [...frame.children.values()].sort((a, b) => b.us - a.us)) {
      draw(child, level + 1, next);
      next += (child.us / root.us) * WIDTH;
    }
  };
  draw(root, 0, 0);
  const busy = `${((100 * root.us) / total).toFixed(0)} % of the time busy; the rest is spent in the kernel's poll and read`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">` +
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>` +
    `<text x="3" y="14" font-size="13">${escapeXml(`${title}: ${busy}`)}</text>${boxes.join('')}</svg>\n`
  );
}

function framesOf(profile: CpuProfile): { root: Frame; idleUs: number } {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((one) => [one, id])));
  const root: Frame = { name: 'all', us: 0, children: new Map() };
  let idleUs = 0;
  for (const [index, sample] of profile.samples.entries()) {
    const us = profile.timeDeltas[index] ?? 0;
    const stack: string[] = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const name = names.get(id) ?? '?';
      if (name !== '(root)') stack.unshift(name);
    }
    if (stack.includes(IDLE)) {
      idleUs += us;
      continue;
    }
    root.us += us;
    let frame = root;
    for (const name of stack) {
      const child = frame.children.get(name) ?? { name, us: 0, children: new Map<string, Frame>() };
      frame.children.set(name, child);
      child.us += us;
      frame = child;
    }
  }
  return { root, idleUs };
}

function nameOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  const file = url.split('/').at(-1) ?? '';
  return url.startsWith('node:') ? `${name} [${url}]` : file === '' ? name : `${name} [whalemark]`;
}

function depthOf(frame: Frame): number {
  return 1 + Math.max(0, ...[...frame.children.values()].map(depthOf));
}

/** Whalemark's, Node's, V8's own. */
function color(name: string): string {
  if (name.endsWith('[whalemark]')) return '#7fc8e0';
  return name.includes('[node:') ? '#ffd58a' : '#f2a58e';
}

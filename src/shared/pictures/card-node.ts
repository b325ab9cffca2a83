import { BAR_PATTERNS } from './bars.ts';
import { colorVariables, withColors } from './svg.ts';

export type CardNode = { className: string; style?: Record<string, string | number> } & (
  | { type: 'container'; children: CardNode[] }
  | { type: 'text'; text: string }
  | { type: 'image'; src: string; width: number; height: number }
);

export function box(className: string, children: CardNode[]): CardNode {
  return { type: 'container', className, children };
}

/** No font draws control characters. */
export function text(className: string, words: string): CardNode {
  return { type: 'text', className, text: words.replace(/\p{Cc}|\p{Surrogate}/gu, '') };
}

export function picture(svg: string, width: number, height: number): CardNode {
  const size = `width="${width}" height="${height}"`;
  const src = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><defs>${BAR_PATTERNS}</defs>${svg}</svg>`;
  return { type: 'image', className: '', src: withColors(src), width, height };
}

export const CARD_STYLES = `
  .card { display: flex; flex-direction: column; width: 1200px; min-height: 675px; line-height: 1.25;
    font-family: Inter, 'Noto Sans SC'; color: var(--text); background: var(--surface); ${colorVariables('light')} }
  .head { display: flex; flex-direction: column; padding: 28px 48px 20px; color: #d5e4f1;
    background: linear-gradient(135deg, #071a2e, #0a2540 55%, #12507b) }
  .brand { display: flex; align-items: center; gap: 8px; margin-bottom: 6px; color: #fff; font-weight: 700; font-size: 22px }
  .question { flex: 1; margin-right: 40px; font-size: 19px; color: #a9c8e2; line-clamp: 2 }
  .headline { margin-top: 6px; font-size: 30px; font-weight: 700; line-height: 1.18; color: #fff; text-wrap: balance;
    line-clamp: 3 }
  .only { font-size: 40px }
  .detail { font-size: 19px; line-clamp: 2 }
  .knee { margin-top: 4px; font-size: 17px; font-weight: 700; color: #a9c8e2; line-clamp: 1 }
  .care { margin-top: 6px; font-size: 17px; font-weight: 700; color: #ffcf5c; line-clamp: 2 }
  .rows { display: grid; grid-template-columns: 290px 390px 1fr auto; column-gap: 16px; flex: 1; align-content: center;
    align-items: center; padding: 14px 48px 0 }
  .title { grid-column: 1 / -1; padding: 8px 0 3px; border-bottom: 1px solid var(--line); font-size: 15px;
    font-weight: 700; color: var(--accent); line-clamp: 1 }
  .label { line-clamp: 2; line-height: 1.15 }
  .low { line-clamp: 1 }
  .label.baseline { font-weight: 700 }
  .label.muted, .remark, .rate, .small { color: var(--text-2) }
  .remark { padding: 8px; font-size: 15px; line-height: 1.1; line-clamp: 2 }
  .words, .rates { display: flex; flex-direction: column; line-height: 1.15 }
  .verdict { font-weight: 700; color: var(--text-2); line-clamp: 2 }
  .verdict.baseline { color: var(--baseline) }
  .verdict.slower { color: var(--slower) }
  .verdict.faster { color: var(--faster) }
  .rates { text-align: right; max-width: 190px; font-size: 16px }
  .small { font-size: 13px; line-clamp: 2 }
  .axis { position: relative; grid-column: 2; height: 24px; font-size: 13px; color: var(--text-2) }
  .tick { position: absolute; top: 3px; width: 80px; text-align: center }
  .waterfall { display: grid; grid-template-columns: 290px 660px 1fr; column-gap: 16px; row-gap: 5px; align-items: center;
    padding: 8px 48px 6px; font-size: 15px }
  .waterfall .rate { text-align: right }
  .stack { display: flex; position: relative }
  .part { position: absolute; top: 2px; font-size: 13px; color: var(--surface) }
  .legend { display: flex; grid-column: 2 / -1; align-items: center; gap: 6px }
  .legend .small { margin-right: 12px }
  .sweep { display: grid; align-items: center; padding: 12px 48px 4px; font-size: 16px }
  .curve { display: flex; grid-column: 2 / -1 }
  .level { text-align: center; font-size: 13px; color: var(--text-2) }
  .level.strong { font-weight: 700; color: var(--text) }
  .notes { display: flex; flex-direction: column; gap: 4px; margin-top: auto; padding: 4px 48px 12px }
  .note { display: flex; align-items: center; gap: 8px }
  .foot { display: flex; flex-direction: column; gap: 6px; padding: 14px 48px; background: var(--surface-2); font-size: 14px }
  .last { display: flex; align-items: end; gap: 24px }
  .fact { flex: 1; line-clamp: 2 }
  .version { font-size: 13px; color: var(--text-2) }
`;

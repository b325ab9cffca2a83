/**
 * This stand-in replaces Chart.js, since jsdom draws nothing. The charts' words, tables, and keys are the window's own, and
 * their pictures are looked at in Electron.
 */
export class Chart {
  static register(): void {}
  readonly canvas: HTMLCanvasElement;
  data: unknown;
  options: unknown;
  chartArea = { left: 0, top: 0, right: 100, bottom: 100, width: 100, height: 100 };
  scales = {};

  constructor(canvas: HTMLCanvasElement, { data, options }: { data: unknown; options: unknown }) {
    this.canvas = canvas;
    this.data = data;
    this.options = options;
  }
  update(): void {}
  destroy(): void {}
}

export const [Decimation, LinearScale, LineController, LineElement, PointElement, Tooltip] = [
  ...Array(6).keys(),
];

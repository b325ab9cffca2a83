import type { Chart, Plugin } from 'chart.js';

type VersionOf = (dataset: object) => number | undefined;

/**
 * Caches the picture of datasets whose version has not changed, which later frames start with; those without a
 * version change constantly and must be topmost.
 */
export function keptPicture(versionOf: VersionOf, axesVersion: () => number): Plugin<'line'> {
  const laidOut = new WeakMap<object, string>();
  const picture = document.createElement('canvas');
  let pictured = '';
  let lastDrawn = '';
  let isPictured = false;
  let isRepeated = false;

  const versions = (chart: Chart): string =>
    chart.data.datasets.map((dataset) => versionOf(dataset) ?? '').join(' ');
  const keep = (chart: Chart): void => {
    isPictured = true;
    if (chart.getActiveElements().length > 0) return;
    pictured = lastDrawn;
    picture.width = chart.canvas.width;
    picture.height = chart.canvas.height;
    picture.getContext('2d')?.drawImage(chart.canvas, 0, 0);
  };
  const isActive = (chart: Chart, index: number): boolean =>
    chart.getActiveElements().some(({ datasetIndex }) => datasetIndex === index);

  return {
    id: 'kept-picture',
    beforeDatasetUpdate(chart, { index }) {
      const dataset = chart.data.datasets[index];
      const version = dataset === undefined ? undefined : versionOf(dataset);
      if (dataset === undefined || version === undefined) return undefined;
      const now = `${version} ${frameOf(chart, axesVersion())}`;
      if (laidOut.get(dataset) === now) return false;
      laidOut.set(dataset, now);
      return undefined;
    },
    beforeDatasetsDraw(chart) {
      const now = `${frameOf(chart, axesVersion())} ${versions(chart)}`;
      isRepeated = now === lastDrawn;
      lastDrawn = now;
      isPictured = now === pictured;
      if (!isPictured) return;
      const { ctx, canvas } = chart;
      ctx.save();
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.clearRect(0, 0, canvas.width, canvas.height);
      ctx.drawImage(picture, 0, 0);
      ctx.restore();
    },
    beforeDatasetDraw(chart, { index }) {
      const dataset = chart.data.datasets[index];
      const isStill = dataset !== undefined && versionOf(dataset) !== undefined;
      // The hovered point looks different.
      if (isStill) return isPictured && !isActive(chart, index) ? false : undefined;
      if (!isPictured) keep(chart);
      return undefined;
    },
    afterDatasetsDraw(chart) {
      // Taking a picture waits for drawing, so not for charts drawn once.
      if (!isPictured && isRepeated) keep(chart);
    },
  };
}

function frameOf(chart: Chart, axesVersion: number): string {
  const { chartArea, scales, canvas, currentDevicePixelRatio } = chart;
  const ranges = Object.values(scales).flatMap(({ min, max }) => [min, max]);
  const { left, top, right, bottom } = chartArea;
  const size = [left, top, right, bottom, canvas.width, canvas.height, currentDevicePixelRatio];
  return [axesVersion, ...size, ...ranges].join(' ');
}

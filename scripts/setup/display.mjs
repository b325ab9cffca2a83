import { which } from './command.mjs';
import { isDebianLike } from './machine.mjs';
import { missingPackages } from './system-packages.mjs';

/**
 * A virtual screen, the libraries Electron links to, and fonts for both languages.
 *
 * @type {import('./system-packages.mjs').Wanted[]}
 */
export const DISPLAY_PACKAGES = [
  'xvfb',
  'xauth',
  'libnss3',
  ['libgtk-3-0t64', 'libgtk-3-0'],
  'libgbm1',
  ['libasound2t64', 'libasound2'],
  'fonts-dejavu-core',
  ['fonts-wqy-microhei', 'fonts-noto-cjk'],
];

export function hasScreen() {
  if (process.platform !== 'linux') return true;
  return ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (process.env[name] ?? '') !== '');
}

export const withScreen = () =>
  process.platform === 'linux' && (process.env['DISPLAY'] ?? '') === ''
    ? ['xvfb-run', '-a', '-s', '-screen 0 1920x1200x24']
    : [];

export async function hasDisplay() {
  if (process.platform !== 'linux') return true;
  if (isDebianLike()) return (await missingPackages(DISPLAY_PACKAGES)).length === 0;
  return Boolean(which('Xvfb') && which('xvfb-run'));
}

import * as units from '../shared/units.ts';
import { translate } from './texts.ts';

export const formatBytes = (bytes: number): string => units.formatBytes(bytes, translate.language);
export const formatCount = (count: number): string => units.formatCount(count, translate.language);
export const formatDuration = (ms: number): string => units.formatDuration(ms, translate.language);
export const formatAbout = (ms: number): string => units.formatAbout(ms, translate.language);
export const formatLatency = (us: number | null): string => units.formatLatency(us, translate.language);
export const formatRate = (perSecond: number | null): string =>
  units.formatRate(perSecond, translate.language);

export function formatTime(at: number): string {
  return new Intl.DateTimeFormat(translate.language, { timeStyle: 'medium' }).format(at);
}

export function formatDate(at: number): string {
  return new Intl.DateTimeFormat(translate.language, { dateStyle: 'medium' }).format(at);
}

export function formatDateTime(at: number): string {
  return new Intl.DateTimeFormat(translate.language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** "1:04", "1:02:03" */
export function clockText(seconds: number): string {
  const two = (count: number): string => String(Math.floor(count) % 60).padStart(2, '0');
  const [minutes, hours] = [seconds / 60, Math.floor(seconds / 3600)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${Math.floor(minutes)}:${two(seconds)}`;
}

export function formatReference(image: string): string {
  return image.replace(/(@sha256:[0-9a-f]{12})[0-9a-f]+$/, '$1…');
}

export function levelsOfText(text: string): number[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.map(Number);
}

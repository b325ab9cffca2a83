import type { ContainerUse } from '../../shared/model/measurements.ts';
import type { HostSource } from './host-source.ts';

const GROUPS = '/sys/fs/cgroup';

interface Counted {
  atMs: number;
  cpuSeconds: number | undefined;
  readBytes: number | undefined;
  writtenBytes: number | undefined;
}

interface Files {
  cpu: string;
  cpuSeconds(text: string): number | undefined;
  block: string;
  bytes(text: string, what: 'read' | 'write'): number;
}

/**
 * A container's use per window, from the kernel's files: microseconds per read. The engine's own statistics cost
 * 3 to 6 ms of CPU a second (Docker 29, two cores), so they are never used during the load.
 */
export class ContainerMeter {
  readonly #source: HostSource;
  readonly #files: Files;
  #last: Counted;

  private constructor(source: HostSource, files: Files, nowMs: number) {
    this.#source = source;
    this.#files = files;
    this.#last = this.#count(nowMs);
  }

  static of(source: HostSource, containerId: string, nowMs: number): ContainerMeter | undefined {
    const files = candidates(containerId).find(({ cpu }) => source.read(cpu) !== undefined);
    return files === undefined ? undefined : new ContainerMeter(source, files, nowMs);
  }

  use(nowMs: number): ContainerUse {
    const [before, now] = [this.#last, this.#count(nowMs)];
    this.#last = now;
    const seconds = (now.atMs - before.atMs) / 1000;
    const rate = (name: 'cpuSeconds' | 'readBytes' | 'writtenBytes'): number | null => {
      const [from, to] = [before[name], now[name]];
      return from === undefined || to === undefined || seconds <= 0 ? null : (to - from) / seconds;
    };
    return {
      cores: rate('cpuSeconds'),
      blockReadPerSecond: rate('readBytes'),
      blockWritePerSecond: rate('writtenBytes'),
    };
  }

  #count(atMs: number): Counted {
    const cpu = this.#source.read(this.#files.cpu);
    const block = this.#source.read(this.#files.block);
    return {
      atMs,
      cpuSeconds: cpu === undefined ? undefined : this.#files.cpuSeconds(cpu),
      readBytes: block === undefined ? undefined : this.#files.bytes(block, 'read'),
      writtenBytes: block === undefined ? undefined : this.#files.bytes(block, 'write'),
    };
  }
}

/** Paths by the cgroupfs driver, systemd, and Podman. */
function candidates(id: string): Files[] {
  const places = [`docker/${id}`, `system.slice/docker-${id}.scope`, `machine.slice/libpod-${id}.scope`];
  return [
    ...places.map((place) => version2(`${GROUPS}/${place}`)),
    ...places.map((place) => version1(place)),
  ];
}

/** admin-guide/cgroup-v2.rst: `usage_usec`; `8:0 rbytes=… wbytes=…`. */
function version2(group: string): Files {
  return {
    cpu: `${group}/cpu.stat`,
    cpuSeconds: (text) => scaled(/^usage_usec (\d+)$/m.exec(text)?.[1], 1e6),
    block: `${group}/io.stat`,
    bytes: (text, what) => sumOf(text, what === 'read' ? /\brbytes=(\d+)/g : /\bwbytes=(\d+)/g),
  };
}

/** cgroup-v1/cpuacct.rst, blkio-controller.rst: nanoseconds; `8:0 Read …`, `8:0 Write …`. */
function version1(place: string): Files {
  return {
    cpu: `${GROUPS}/cpuacct/${place}/cpuacct.usage`,
    cpuSeconds: (text) => scaled(text.trim(), 1e9),
    block: `${GROUPS}/blkio/${place}/blkio.throttle.io_service_bytes_recursive`,
    bytes: (text, what) => sumOf(text, what === 'read' ? /\bRead (\d+)$/gm : /\bWrite (\d+)$/gm),
  };
}

function scaled(digits: string | undefined, perSecond: number): number | undefined {
  return digits === undefined || !/^\d+$/.test(digits) ? undefined : Number(digits) / perSecond;
}

function sumOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((sum, [, digits]) => sum + Number(digits), 0);
}

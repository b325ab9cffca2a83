import type { ContainerUse } from '../../shared/model/measurements.ts';
import type { HostSource } from '../machine/host-source.ts';

const GROUPS = '/sys/fs/cgroup';

interface Counted {
  atMs: number;
  cpuSeconds: number | undefined;
  readBytes: number | undefined;
  writtenBytes: number | undefined;
}

/** Files of a container's control group, and what they hold. */
interface Files {
  cpu: string;
  cpuSeconds(text: string): number | undefined;
  block: string;
  bytes(text: string, what: 'read' | 'write'): number;
}

/**
 * What a container uses, window by window, where its counters are files of this machine's kernel: reading two of them takes some ten
 * microseconds. The engine's own stream of figures costs it 3 to 6 ms of CPU a second (Docker 29 on a machine with two cores), beside the
 * very load that is measured, so it is never asked meanwhile: behind a VM's border nothing is known before the trial has ended.
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

  /** Undefined where the container's counters are not found. `nowMs`: on a clock that never jumps. */
  static of(source: HostSource, containerId: string, nowMs: number): ContainerMeter | undefined {
    const files = candidates(containerId).find(({ cpu }) => source.read(cpu) !== undefined);
    return files === undefined ? undefined : new ContainerMeter(source, files, nowMs);
  }

  /** What it used since the last call; null is what this kernel does not count. */
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

/** Where engines put a container's group: by the cgroupfs driver, by systemd, and Podman's own. */
function candidates(id: string): Files[] {
  const places = [`docker/${id}`, `system.slice/docker-${id}.scope`, `machine.slice/libpod-${id}.scope`];
  return [
    ...places.map((place) => version2(`${GROUPS}/${place}`)),
    ...places.map((place) => version1(place)),
  ];
}

/** Control groups v2 (kernel documentation, admin-guide/cgroup-v2.rst): `usage_usec`; `8:0 rbytes=… wbytes=…`. */
function version2(group: string): Files {
  return {
    cpu: `${group}/cpu.stat`,
    cpuSeconds: (text) => scaled(/^usage_usec (\d+)$/m.exec(text)?.[1], 1e6),
    block: `${group}/io.stat`,
    bytes: (text, what) => sumOf(text, what === 'read' ? /\brbytes=(\d+)/g : /\bwbytes=(\d+)/g),
  };
}

/** Control groups v1 (cgroup-v1/cpuacct.rst, blkio-controller.rst): nanoseconds; `8:0 Read …`, `8:0 Write …`. */
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

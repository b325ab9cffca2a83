import type { HostSource } from '../../../../src/benchmark/host/host-source.ts';

/** A machine made of files and of what its programs print. Both may be changed while it is watched. */
export class FakeHost implements HostSource {
  readonly pid = 100;
  readonly files = new Map<string, string>();
  readonly links = new Map<string, string>();
  /** Command line → what it prints. */
  readonly prints = new Map<string, string>();

  constructor(readonly platform: NodeJS.Platform = 'linux') {}

  /** The app is pid 90 with its core, pid 100; the shell that started it runs another program. */
  static withApp(): FakeHost {
    const host = new FakeHost();
    host.process(1, 0, 'systemd', 50);
    host.process(2, 0, 'kthreadd', 0);
    host.process(80, 1, 'bash', 5);
    host.process(90, 80, 'whalemark', 10);
    host.process(100, 90, 'whalemark', 20);
    for (const pid of [90, 100]) host.links.set(`/proc/${pid}/exe`, '/opt/whalemark');
    host.links.set('/proc/80/exe', '/usr/bin/bash');
    return host;
  }

  read(path: string): string | undefined {
    return this.files.get(path);
  }

  list(path: string): string[] {
    const below = [...this.files.keys()].filter((name) => name.startsWith(`${path}/`));
    return [...new Set(below.map((name) => name.slice(path.length + 1).split('/')[0] ?? ''))];
  }

  link(path: string): string | undefined {
    return this.links.get(path);
  }

  run(file: string, args: string[]): Promise<string | undefined> {
    return Promise.resolve(this.prints.get([file, ...args].join(' ')));
  }

  /** Counters as the kernel prints them; 200 ticks are a second of two CPUs. */
  count({ total, stolen }: { total: number; stolen: number }): void {
    this.files.set(
      '/proc/stat',
      `cpu  ${total - stolen} 0 0 0 0 0 0 ${stolen} 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\n`,
    );
  }

  /** A process; seconds of CPU that it and its ended children took. */
  process(pid: number, parent: number, name: string, own: number, ended = 0, start = 1): void {
    const rest = `S ${parent} 1 1 0 -1 0 0 0 0 0 ${own * 100} 0 ${ended * 100} 0 20 0 1 0 ${start} 0 0`;
    this.files.set(`/proc/${pid}/stat`, `${pid} (${name}) ${rest}\n`);
  }
}

/** A Linux machine of which nothing can be read. */
export function quietHost(): HostSource {
  return new FakeHost();
}

import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientImage } from '../load/sysbench-command.ts';
import { tarOf } from '../../../src/benchmark/runtime/engine/tar.ts';
import { sharesMounts } from '../../../src/benchmark/servers/storage/free-device.ts';
import { bundled } from '../helpers/bundle-client.ts';
import { docker } from '../helpers/docker-server.ts';
import { LIMITS, limitsOf } from '../helpers/limits.ts';
import { IMAGE, workbench, type Workbench } from './fixture.ts';

let bench: Workbench;

beforeAll(async () => {
  bench = await workbench('lifecycle');
});
afterAll(() => bench.clear());

describe('images', () => {
  it('are listed and inspected with their environment', async () => {
    const image = await bench.runtime.images.inspect('whalemark-test/mysql:debian-sid');
    expect(image?.env['MYSQL_VERSION']).toMatch(/^\d+\./);
    expect(image?.references).toContain('whalemark-test/mysql:debian-sid');
    const listed = await bench.runtime.images.list();
    expect(listed).toContainEqual(image);
    expect(await bench.runtime.images.inspect('whalemark-test/nothing:1')).toBeUndefined();
  });

  it('are built from files, with labels, and removed', async () => {
    const { runtime, labels, name } = bench;
    const tag = `${name('image')}:1`;
    const fractions: (number | null)[] = [];
    await runtime.images.build(
      {
        tag,
        files: {
          Dockerfile: `FROM ${IMAGE}\nARG GREETING\nCOPY data.txt /data.txt\nRUN echo "$GREETING" > /greeting.txt\n`,
          'data.txt': 'größe\n',
        },
        labels,
        buildArgs: { GREETING: 'hello' },
      },
      ({ fraction }) => fractions.push(fraction),
      new AbortController().signal,
    );
    expect(fractions).toContain(0.5);
    expect(fractions.at(-1)).toBe(1);
    const id = await bench.shell('built', 'cat /data.txt /greeting.txt', { image: tag });
    await runtime.containers.start(id);
    expect(await runtime.containers.wait(id)).toBe(0);
    expect(await runtime.containers.logTail(id, 10)).toEqual(['größe', 'hello']);
    await runtime.containers.remove(id);
    const image = await runtime.images.inspect(tag);
    expect(image?.labels).toMatchObject(labels);
    await runtime.images.remove(image?.id ?? '');
    await runtime.images.remove(image?.id ?? '');
    expect(await runtime.images.inspect(tag)).toBeUndefined();
  });

  it('that can not be built say why', async () => {
    const { runtime, labels, name } = bench;
    const build = (Dockerfile: string): Promise<void> =>
      runtime.images.build(
        { tag: `${name('broken')}:1`, files: { Dockerfile }, labels, buildArgs: {} },
        () => undefined,
        new AbortController().signal,
      );
    await expect(build(`FROM ${IMAGE}\nRUN echo almost && exit 7\n`)).rejects.toMatchObject({
      code: 'IMAGE_BUILD_FAILED',
      params: { reason: expect.stringContaining('7') as unknown },
      evidence: expect.arrayContaining(['almost']) as unknown,
    });
    await expect(build('FRUM nothing\n')).rejects.toMatchObject({ code: 'IMAGE_BUILD_FAILED' });
  });
});

describe('containers', () => {
  it('are created, started, inspected, stopped and removed', async () => {
    const { runtime } = bench;
    const id = await bench.shell('life', 'trap "exit 3" TERM; while :; do sleep 0.1; done');
    expect(await runtime.containers.inspect(id)).toMatchObject({ running: false, exitCode: null });
    await runtime.containers.start(id);
    await runtime.containers.start(id);
    const running = await runtime.containers.inspect(id);
    expect(running).toMatchObject({ running: true, exitCode: null, oomKilled: false });
    expect(Date.parse(running.startedAt)).not.toBeNaN();
    const waiting = runtime.containers.wait(id);
    await runtime.containers.stop(id, 5);
    expect(await waiting).toBe(3);
    expect(await runtime.containers.inspect(id)).toMatchObject({ running: false, exitCode: 3 });
    await runtime.containers.stop(id, 1);
    await runtime.containers.kill(id);
    await runtime.containers.remove(id);
    await runtime.containers.remove(id);
    await expect(runtime.containers.inspect(id)).rejects.toMatchObject({ code: 'ENGINE_REFUSED' });
  });

  it('are killed when they ignore the request to stop', async () => {
    const { runtime } = bench;
    const id = await bench.shell('stubborn', 'trap "" TERM; while :; do sleep 0.1; done');
    await runtime.containers.start(id);
    await runtime.containers.stop(id, 1);
    expect((await runtime.containers.inspect(id)).exitCode).toBe(137);
    await runtime.containers.remove(id);
  });

  it('are paused and go on, and are removed while they are paused', async () => {
    const { runtime } = bench;
    const id = await bench.shell('paused', 'while :; do echo tick; sleep 0.02; done');
    await runtime.containers.start(id);
    const over = new AbortController();
    let isMeant = false;
    const heard = runtime.containers.waitPaused(id, over.signal, () => Promise.resolve(isMeant));
    let isHeard = false;
    void heard.then(() => (isHeard = true));
    const lines = async (): Promise<number> => (await runtime.containers.logTail(id, 10_000)).length;
    await expect.poll(lines).toBeGreaterThan(0);
    await runtime.containers.pause(id);
    const before = await lines();
    expect(await lines()).toBe(before);
    await runtime.containers.unpause(id);
    await runtime.containers.unpause(id);
    await expect.poll(lines).toBeGreaterThan(before);
    expect(isHeard).toBe(false);
    isMeant = true;
    await runtime.containers.pause(id);
    await heard;
    await runtime.containers.waitPaused(id, over.signal);
    await runtime.containers.remove(id);
    await expect(runtime.containers.inspect(id)).rejects.toMatchObject({ code: 'ENGINE_REFUSED' });
  });

  it('are removed by two at once', async () => {
    const { runtime } = bench;
    const id = await bench.shell('twice', 'sleep 60');
    await runtime.containers.start(id);
    await Promise.all([runtime.containers.remove(id), runtime.containers.remove(id)]);
    expect((await runtime.listOwned()).some((own) => own.id === id)).toBe(false);
  });
});

describe('what containers may do', () => {
  it('is what entry points and helpers need, and no more', async () => {
    const { runtime } = bench;
    const id = await bench.shell('limits', 'grep -E "^(CapBnd|CapEff|NoNewPrivs):" /proc/self/status');
    await runtime.containers.start(id);
    expect(await runtime.containers.wait(id)).toBe(0);
    const status = new Map(
      (await runtime.containers.logTail(id, 10)).map((line) => [line.split(':')[0], line.split('\t')[1]]),
    );
    // CHOWN 0, DAC_OVERRIDE 1, FOWNER 3, SETGID 6, SETUID 7.
    const kept = [0, 1, 3, 6, 7].reduce((bits, bit) => bits + 2 ** bit, 0);
    expect(parseInt(status.get('CapBnd') ?? '', 16)).toBe(kept);
    expect(status.get('NoNewPrivs')).toBe('1');
    expect(await limitsOf(id)).toEqual(LIMITS);
    await runtime.containers.remove(id);
  });
});

describe('the engine’s machine', () => {
  it('is asked for a path', async () => {
    const { runtime } = bench;
    expect(await runtime.containers.hasPath(`/proc/${process.pid}/root/proc`)).toBe(true);
    expect(await runtime.containers.hasPath('/proc/whalemark-no-such-path')).toBe(false);
    expect(await sharesMounts(runtime)).toBe(true);
  });

  it(
    'is not the container that asks through its socket, whatever else the two share',
    { tags: ['full'] },
    async () => {
      const image = await clientImage('builtin');
      const { file, remove } = await bundled('tests/integration/helpers/shared-mounts-main.ts');
      const shared = [file, '/var/run/docker.sock', '/tmp'].map((path) => `--volume=${path}:${path}`);
      const inside = (...more: string[]): Promise<string> =>
        docker(...['run', '--rm', '--user=0', '--entrypoint=node'], ...shared, ...more, image, file);
      try {
        expect(await inside()).toBe('false');
        expect(await inside('--pid=host', '--network=host')).toBe('false');
        expect(spawnSync(process.execPath, [file], { encoding: 'utf8' }).stdout).toBe('true\n');
      } finally {
        await remove();
      }
    },
  );
});

describe('networks and volumes', () => {
  it('connect containers by alias, and keep data', async () => {
    const { runtime, labels, name } = bench;
    const network = await runtime.networks.create(name('network'), labels);
    const volume = await runtime.volumes.create(name('volume'), labels);
    const mounts = [{ type: 'volume' as const, source: volume, target: '/data' }];
    const server = await bench.shell(
      'server',
      'head -c 3000000 /dev/zero > /data/zeros; echo kept > /data/file; sleep 60',
      {
        network,
        networkAliases: ['the-server'],
        mounts,
      },
    );
    await runtime.containers.start(server);
    const client = await bench.shell('client', 'getent hosts the-server && cat /data/file', {
      network,
      mounts,
    });
    await runtime.containers.start(client);
    expect(await runtime.containers.wait(client)).toBe(0);
    const [address, kept] = await runtime.containers.logTail(client, 10);
    expect(address).toContain('the-server');
    expect(kept).toBe('kept');
    expect(await runtime.volumes.bytes(volume)).toBeGreaterThanOrEqual(3_000_000);
    expect(await runtime.volumes.bytes(`${volume}-none`)).toBeUndefined();
    await expect(runtime.volumes.remove(volume)).rejects.toMatchObject({ code: 'ENGINE_REFUSED' });
    await expect(runtime.networks.remove(network)).rejects.toMatchObject({ code: 'ENGINE_REFUSED' });
    await Promise.all([server, client].map((id) => runtime.containers.remove(id)));
    for (let twice = 0; twice < 2; twice++) {
      await runtime.networks.remove(network);
      await runtime.volumes.remove(volume);
    }
  });
});

describe('streams', () => {
  it('end the program when we are gone', async () => {
    const { runtime } = bench;
    const id = await bench.shell('left', 'cat; exit 5', { stdin: true });
    const attachment = await runtime.containers.attach(id);
    await runtime.containers.start(id);
    attachment.close();
    await attachment.ended;
    attachment.stdin.write('nobody listens\n');
    expect(await runtime.containers.wait(id)).toBe(5);
    await runtime.containers.remove(id);
  });

  it('of a log hold whole lines, from the last start on', async () => {
    const { runtime } = bench;
    const script =
      'n=$(cat /count 2>/dev/null || echo 0); n=$((n+1)); echo $n > /count; echo "start $n"; printf "gr\\303"; sleep 0.2; printf "\\274n\\n"; echo error >&2; head -c 40000 /dev/zero | tr "\\0" x; echo; echo "end $n"';
    const id = await bench.shell('log', script);
    for (const round of [1, 2, 3]) {
      await runtime.containers.start(id);
      const { startedAt } = await runtime.containers.inspect(id);
      const lines: string[] = [];
      await runtime.containers.followLogs(id, (line) => lines.push(line), {
        signal: new AbortController().signal,
        since: startedAt,
      });
      expect(lines.filter((line) => line !== 'error')).toEqual([
        `start ${round}`,
        'grün',
        'x'.repeat(40_000),
        `end ${round}`,
      ]);
      expect(lines).toContain('error');
      await runtime.containers.wait(id);
    }
    expect(await runtime.containers.logTail(id, 2)).toHaveLength(2);
    await runtime.containers.remove(id);
  });

  it('of a log end when nobody wants them any more', async () => {
    const { runtime } = bench;
    const id = await bench.shell('endless', 'while :; do echo tick; sleep 0.05; done');
    await runtime.containers.start(id);
    const controller = new AbortController();
    let ticks = 0;
    await runtime.containers.followLogs(
      id,
      () => {
        ticks += 1;
        if (ticks === 3) controller.abort();
      },
      { signal: controller.signal },
    );
    expect(ticks).toBeGreaterThanOrEqual(3);
    const waiting = runtime.containers.wait(id, AbortSignal.timeout(50));
    await expect(waiting).rejects.toMatchObject({ code: 'STOPPED' });
    await runtime.containers.remove(id);
  });

  it('of a command are not read without end', async () => {
    const { runtime } = bench;
    const id = await bench.shell('talkative', 'sleep 60');
    await runtime.containers.start(id);
    await expect(runtime.containers.exec(id, ['head', '-c', '50000000', '/dev/zero'])).rejects.toMatchObject({
      code: 'ENGINE_REFUSED',
    });
    await expect(runtime.containers.exec(id, ['yes'])).rejects.toMatchObject({ code: 'ENGINE_REFUSED' });
    await runtime.containers.remove(id);
  });

  it('carry files with their owners from one container to another', async () => {
    const { runtime } = bench;
    const make =
      'mkdir -p /src/sub && head -c 3000000 /dev/urandom > /src/sub/big && echo x > /src/small && chown -R 999:998 /src && chmod 755 /src/sub && chmod 640 /src/sub/big';
    const from = await bench.shell('from', make);
    await runtime.containers.start(from);
    expect(await runtime.containers.wait(from)).toBe(0);
    // The user of the second container must not become the owner.
    const to = await bench.shell('to', 'find /copy/src -printf "%P %U %G %m %s\\n" | sort', { user: '1234' });
    await runtime.containers.putArchive(to, '/', await tarOf({ 'copy/marker': 'm' }));
    await runtime.containers.putArchive(to, '/copy', await runtime.containers.getArchive(from, '/src'));
    await runtime.containers.start(to);
    expect(await runtime.containers.wait(to)).toBe(0);
    const listing = await runtime.containers.logTail(to, 20);
    expect(listing).toContain('sub 999 998 755 4096');
    expect(listing).toContain('sub/big 999 998 640 3000000');
    expect(listing).toContain('small 999 998 644 2');
    await expect(runtime.containers.getArchive(from, '/nothing')).rejects.toMatchObject({
      code: 'ENGINE_REFUSED',
    });
    await expect(
      runtime.containers.putArchive(to, '/nothing', await tarOf({ a: 'b' })),
    ).rejects.toMatchObject({
      code: 'ENGINE_REFUSED',
    });
    await Promise.all([from, to].map((id) => runtime.containers.remove(id)));
  });
});

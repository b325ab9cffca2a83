import { describe, expect, it } from 'vitest';
import { plain } from '../../../helpers/messages.ts';
import { planText } from '../../../../src/cli/plan-command.ts';
import { lengthText } from '../../../../src/shared/words/provenance.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { makePlan } from '../../builders.ts';

const MIB = 2 ** 20;

describe('a plan in words', () => {
  it('names servers, sizes, scenarios, what is left out and what it takes', () => {
    const plan = makePlan({
      scenarios: [
        { storage: 'named-volume', path: 'published-port' },
        { storage: 'named-volume', path: 'user-bridge', loadGenerator: 'sysbench' },
        { storage: 'named-volume', path: 'overlay-other-node' },
      ],
      bufferPools: {
        'io-bound': { name: 'I/O-bound', bufferPoolMiB: 10 },
        'in-memory': { name: 'In memory', bufferPoolMiB: 200 },
      },
      excluded: [{ storage: 'native', path: 'loopback', reason: 'There is no mysqld here.' }],
      consents: [{ consent: 'swarm', message: plain('A swarm is started.') }],
      config: { options: ['--innodb-io-capacity=100'], limits: { cpus: 2, memoryMiB: 512 } },
      notices: [{ code: 'X', message: plain('A remark.') }],
      reference: {
        ...{ id: 'x', title: 'Docker and MySQL', source: 'A blog', url: null, date: '2016-02-05' },
        ...{ hardware: '', software: '', workload: '', cells: [] },
      },
    });
    const text = planText({
      ...plan,
      mode: 'small',
      toPrepare: [{ kind: 'pull', reference: 'mysql:8.4', bytes: 500 * MIB }],
      estimate: { seconds: 300, diskBytes: 900 * MIB, dataBytes: 100 * MIB },
    });
    for (const part of [
      /, small — /,
      /^Workload: oltp_read_write; Data: 4 × 25,000 rows, 100 MiB; .*: uniform; Connections: 8; /m,
      /^Server I\/O-bound: .*8\.4.*buffer pool: 10 MiB \(10% of the data\)/m,
      /^Server In memory: .*buffer pool: 200 MiB \(200% of the data\)/m,
      /; Limits: 2 CPUs, 512 MiB$/m,
      /^ {2}with --innodb-io-capacity=100$/m,
      /^Takes about 5 min.* 900 MiB of disk/m,
      /^To pull first: mysql:8\.4 \(500 MiB\)$/m,
      /^Published results: A blog, 2016-02-05: “Docker and MySQL”$/m,
      /^Needs --allow swarm: A swarm is started\.$/m,
      /named-volume\.published-port\S* .* — client on the host, load from Whalemark \(baseline\)$/m,
      /user-bridge\S* .* — client in a container, load from sysbench$/m,
      /overlay\S* .* from another node\S* .* — client in a container, load from Whalemark$/m,
      /^ {2}native\.loopback\.\S+ +not available here: There is no mysqld here\.$/m,
      /^! A remark\.$/m,
    ]) {
      expect(text).toMatch(part);
    }
  });

  it.each([
    [{ rounds: 1 }, /^Schedule: 1 round of 1 trial \(/m],
    [
      { rounds: 5, untilConclusive: { budgetMinutes: 7 } },
      /until conclusive, at most 7 min or 5 rounds of 1 trial \(/,
    ],
  ])('names the limits of the schedule %o', (schedule, expected) => {
    const plan = makePlan({
      scenarios: [{ storage: 'named-volume', path: 'published-port' }],
      aaCheck: false,
    });
    expect(planText({ ...plan, schedule: { ...plan.schedule, ...schedule } })).toMatch(expected);
  });

  it('tells the type and device of what is mounted, each once, and no password', () => {
    const disk = (options: { type: string; device: string; o?: string }, name?: string) => ({
      ...{ storage: 'volume-options' as const, path: 'published-port' as const },
      options: { options, ...(name === undefined ? {} : { name }) },
    });
    const nfs = { address: 'nas.lan', path: '/export', version: '4.2' as const, soft: false, lock: true };
    const text = planText(
      makePlan({
        scenarios: [
          { storage: 'named-volume', path: 'published-port' },
          disk({ type: 'ext4', device: '/dev/sdb1' }, 'old disk'),
          { ...disk({ type: 'ext4', device: '/dev/sdb1' }, 'old disk'), path: 'user-bridge' },
          disk({ type: 'none', device: '/mnt/external', o: 'bind' }),
          { storage: 'nfs', path: 'published-port', options: { nfs } },
          disk({ type: 'nfs', device: ':/x', o: 'addr=10.0.0.2,rw' }),
          disk({ type: 'cifs', device: '//nas/x', o: 'ip=10.6.6.6,username=anna,password=geheim' }),
        ],
      }),
    );
    expect([...text.matchAll(/^Mounts: (.*); the server’s containers can/gm)].map(([, one]) => one)).toEqual([
      'ext4 /dev/sdb1 (“old disk”)',
      'none /mnt/external',
      'nfs4 nas.lan:/export',
      'nfs 10.0.0.2:/x',
      'cifs //nas/x (10.6.6.6)',
    ]);
    expect(text).not.toContain('geheim');
    expect(planText(makePlan())).not.toContain('Mounts');
  });

  it('names the program of a server without a container, and no image that is not used', () => {
    const plan = makePlan({
      scenarios: [{ storage: 'native', path: 'loopback' }],
      config: { native: { binary: '/usr/sbin/mysqld', flavor: 'mysql', version: '8.4.6' } },
      workload: { kind: 'tpcc', warehouses: 20 },
    });
    const text = planText(plan);
    expect(text).toMatch(/^Server: on this machine \/usr\/sbin\/mysqld \(MySQL 8\.4\.6\); .*buffer pool: /m);
    expect(text).toMatch(/^Workload: tpcc; Data: 20 warehouses/m);
  });
});

it('has the limit of a run until conclusive, which every screen shows, and else the estimate', () => {
  const plan = makePlan();
  const estimate = { ...plan.estimate, seconds: 409 };
  const untilConclusive = { budgetMinutes: 5 };
  const until = { ...plan, estimate, schedule: { ...plan.schedule, untilConclusive } };
  const lines = (of: typeof plan): string[] => planText(of).split('\n');
  for (const of of [until, { ...plan, estimate }]) {
    expect(lines(of)).toContainEqual(expect.stringContaining(lengthText(of, ENGLISH)));
  }
  expect(lengthText(until, ENGLISH)).toBe(ENGLISH('ui:plan.upTo', { time: '5 min' }));
  expect(lengthText({ ...plan, estimate }, ENGLISH)).toBe(ENGLISH('ui:plan.about', { time: '7 min' }));
});

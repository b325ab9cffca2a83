import { describe, expect, it } from 'vitest';
import type { ScenarioLabel } from '../../../../src/shared/model/plan.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { labelText } from '../../../../src/shared/words/labels.ts';

const PLAIN: ScenarioLabel = {
  ownName: null,
  engine: null,
  server: null,
  storage: 'named-volume',
  storageName: null,
  path: 'published-port',
  omitsPath: false,
  loadGenerator: null,
  connections: null,
  isRepeat: false,
};

describe('the label of a scenario', () => {
  it.each<[string, string, Partial<ScenarioLabel>]>([
    ['named volume via published port', '命名卷 + 端口映射', {}],
    [
      'bind mount via host network (again)',
      '绑定挂载 + 主机网络（再测）',
      { storage: 'bind-mount', path: 'host-network', isRepeat: true },
    ],
    [
      'Large buffer pool (in memory): tmpfs via container IP, 8 connections',
      '大缓冲池（全部在内存中）：tmpfs + 容器 IP，8 个并发连接',
      { server: 'Large buffer pool (in memory)', storage: 'tmpfs', path: 'container-ip', connections: 8 },
    ],
    [
      'NFS volume via overlay network from another node, sysbench',
      'NFS 卷 + overlay 网络（来自另一个节点），sysbench',
      { storage: 'nfs', path: 'overlay-other-node', loadGenerator: 'sysbench' },
    ],
    [
      'my fast disk via Unix socket',
      'my fast disk + Unix 套接字',
      { storageName: 'my fast disk', path: 'unix-socket' },
    ],
    ['native server (no Docker)', '宿主机直装（不用 Docker）', { storage: 'native', path: 'loopback' }],
    [
      'At home, with commas (and more)',
      'At home, with commas (and more)',
      { ownName: 'At home, with commas (and more)' },
    ],
  ])('is %s', (english, chinese, parts) => {
    const label = { ...PLAIN, ...parts };
    expect(labelText(label, createTranslator('en'))).toBe(english);
    expect(labelText(label, createTranslator('zh-CN'))).toBe(chinese);
  });

  it('leaves out what a heading has said', () => {
    const label = {
      ...PLAIN,
      storageName: 'Disk 1, cold',
      loadGenerator: 'builtin',
      server: 'Big, cold',
      connections: 4,
    } as const;
    const said = { loadGenerator: null, server: 'Big, cold', connections: 4 };
    expect(labelText(label, createTranslator('en'), said)).toBe('Disk 1, cold via published port, Whalemark');
  });
});

import { describe, expect, it } from 'vitest';
import { builtImage } from '../../../../src/shared/compose/dockerfile.ts';

const read = (...lines: string[]) =>
  builtImage(['FROM mysql:8.4', ...lines].join('\n'), undefined, () => undefined);

describe('a Dockerfile', () => {
  it.each<[command: string[] | undefined, ...lines: string[]]>([
    [undefined],
    [['mysqld', '--skip-log-bin'], 'CMD ["mysqld", "--skip-log-bin"]'],
    [['mysqld', '--skip-log-bin'], 'CMD mysqld --skip-log-bin'],
    [['mysqld', '--skip-log-bin'], 'cmd exec mysqld \\', '# why', '', '  --skip-log-bin'],
    [['--a=1,2', '--b'], 'CMD [ "--a=1,2" ,"--b" ]'],
    [['--b'], 'CMD ["--a"]', 'CMD ["--b"]'],
    [['--a'], 'CMD ["--a"]', 'FROM nginx', 'CMD ["nginx"]', 'FROM mysql:9', 'CMD ["--a"]'],
    [undefined, 'CMD ["--a"]', 'FROM mysql:9'],
  ])('has the command %j', (command, ...lines) => expect(read(...lines)?.command).toEqual(command));

  it('has the command of the stage that it is built on, unless it has an entrypoint', () => {
    const stage = (...lines: string[]) =>
      builtImage(
        ['FROM mysql:8.4 AS db', 'CMD ["--a"]', 'FROM db', ...lines].join('\n'),
        undefined,
        () => '',
      );
    expect(stage()).toMatchObject({ image: 'mysql:8.4', command: ['--a'] });
    expect(stage('ENTRYPOINT ["/own.sh"]')).not.toHaveProperty('command');
  });

  it.each<[target: string, sources: string[], ...lines: string[]]>([
    ['/etc/my.cnf', ['my.cnf'], 'COPY my.cnf /etc/my.cnf'],
    ['/etc/mysql/conf.d/', ['a.cnf', 'b.cnf'], 'ADD --chown=mysql:mysql a.cnf b.cnf /etc/mysql/conf.d/'],
    ['/etc/mysql/conf.d/', ['my own.cnf'], 'COPY ["my own.cnf", "/etc/mysql/conf.d/"]'],
    ['/etc/mysql/conf.d', ['conf/*.cnf'], 'WORKDIR /etc/mysql', 'WORKDIR conf.d', 'COPY conf/*.cnf .'],
    ['/etc/my.cnf', ['x/my.cnf'], 'ENV FROM_=x TO="/etc/my.cnf"', 'COPY ${FROM_}/my.cnf $TO'],
    ['/etc/my.cnf', ['x/my.cnf'], 'ARG DIR=x', 'COPY ${DIR:-y}/my.cnf /etc/my.cnf'],
  ])('copies to %s', (target, sources, ...lines) =>
    expect(read(...lines)?.copies).toEqual([{ sources, target }]),
  );

  it.each<[line: number | undefined, ...lines: string[]]>([
    [2, 'RUN printf "[mysqld]\\n" > /etc/mysql/conf.d/a.cnf'],
    [2, 'RUN apt-get update && \\', '  sed -i s/1/2/ /etc/my.cnf'],
    [3, 'USER root', 'RUN <<EOF', 'echo a >> /etc/my.cnf', 'EOF'],
    [2, 'COPY <<-"EOF" /etc/mysql/conf.d/a.cnf', '[mysqld]', 'EOF'],
    [2, 'COPY --from=tools /my.cnf /etc/my.cnf'],
    [undefined, 'COPY --from=tools /bin/gosu /bin/gosu'],
    [undefined, 'RUN chmod 0444 /etc/mysql/my.cnf 2>/dev/null'],
    [undefined, 'RUN echo a > /tmp/a'],
  ])('writes options that aren’t read in line %s', (line, ...lines) =>
    expect(read(...lines)?.unread).toEqual(line === undefined ? [] : [line]),
  );
});

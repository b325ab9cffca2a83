import { describe, expect, it } from 'vitest';
import { fieldsOfOptions } from '../../../../src/shared/compose/docker-options.ts';
import { servicesOfWorkflow } from '../../../../src/shared/compose/workflow.ts';

const imagesOf = (jobs: object): string[] =>
  Object.entries(servicesOfWorkflow({ jobs }) ?? {}).map(([name, { image }]) => `${name} ${String(image)}`);

describe('the services of a workflow', () => {
  it.each<[images: string[], image: string, matrix: object]>([
    [['db mysql:8.4'], 'mysql:8.4', { php: [8.3, 8.4] }],
    [['db mysql:8', 'db-2 mysql:9'], 'mysql:${{ matrix.mysql }}', { mysql: [8, 9], php: [8.3, 8.4] }],
    [['db a', 'db-2 b'], '${{matrix.db.image}}', { db: [{ image: 'a' }, { image: 'b' }] }],
    [['db a'], '${{ matrix.db }}', { include: [8, 9].map((php) => ({ db: 'a', php })) }],
    [['db a'], '${{ matrix.db }}', { db: ['a', ''] }],
    [['db mysql:9'], "mysql:${{ matrix.mysql || '9' }}", { php: [8.3] }],
    [['db mysql:8', 'db-2 mysql:9'], "mysql:${{ matrix.mysql || '9' }}", { mysql: [8, ''] }],
    [['db ${{ inputs.db }}'], '${{ inputs.db }}', {}],
  ])('have the images %j of %s', (images, image, matrix) => {
    expect(imagesOf({ unit: { services: { db: { image } }, strategy: { matrix } } })).toEqual(images);
  });

  it('are named once, however many jobs have them, and a job in a container is their client', () => {
    const services = { db: { image: 'mysql:8.4' } };
    const other = { services: { db: { image: 'mysql:9' } } };
    const jobs = { a: { services }, b: { services }, c: other, d: {}, e: { services, container: 'node:24' } };
    expect(imagesOf(jobs)).toEqual(['db mysql:8.4', 'db-2 mysql:9', 'e job']);
    expect(servicesOfWorkflow({ jobs })?.['e']).toEqual({ image: 'job', depends_on: ['db'] });
  });

  it('are read from GitLab’s jobs, with their commands and variables', () => {
    const read = servicesOfWorkflow({
      image: 'php:8.3',
      variables: { VERSION: '8.4', MYSQL_DATABASE: 'test' },
      services: ['registry.example.com/mariadb:11.4'],
      unit: {
        services: [{ name: 'mysql:$VERSION', alias: 'db', command: ['--skip-log-bin'] }],
        script: ['phpunit'],
      },
    });
    expect(read).toMatchObject({
      mariadb: { image: 'registry.example.com/mariadb:11.4' },
      job: { depends_on: ['mariadb'] },
      db: { image: 'mysql:8.4', command: ['--skip-log-bin'], environment: { MYSQL_DATABASE: 'test' } },
      unit: { depends_on: ['db'] },
    });
  });

  it('are read from lists with images, as Drone’s', () => {
    const services = [{ name: 'db', image: 'mysql:8', environment: { A: 'b' } }];
    expect(servicesOfWorkflow({ kind: 'pipeline', services })).toMatchObject({
      db: { image: 'mysql:8', environment: { A: 'b' } },
    });
  });

  it.each([undefined, { jobs: { unit: { 'runs-on': 'ubuntu' } } }, { jobs: [] }])(
    'are none in %j',
    (content) => expect(servicesOfWorkflow(content)).toBeUndefined(),
  );
});

describe('options of docker create', () => {
  it.each<[options: string, fields: object]>([
    ['--tmpfs /var/lib/mysql', { tmpfs: ['/var/lib/mysql'] }],
    ['--tmpfs=/var/lib/mysql:rw,size=1g --rm -it', { tmpfs: ['/var/lib/mysql:rw,size=1g'] }],
    ['-v data:/var/lib/mysql --volume=./a:/b', { volumes: ['data:/var/lib/mysql', './a:/b'] }],
    [
      '--mount type=tmpfs,destination=/var/lib/mysql,tmpfs-size=1g',
      { volumes: [{ type: 'tmpfs', target: '/var/lib/mysql', tmpfs: { size: '1g' } }] },
    ],
    ['--memory=2g --cpus "1.5" -p 3307:3306', { mem_limit: '2g', cpus: '1.5', ports: ['3307:3306'] }],
    ['--health-cmd="mysqladmin ping" --health-retries 3', { healthcheck: { test: 'mysqladmin ping' } }],
    ['--network host --network-alias db --name db', { network_mode: 'host', container_name: 'db' }],
    ['', {}],
  ])('%s', (options, fields) => expect(fieldsOfOptions(options)).toEqual(fields));
});

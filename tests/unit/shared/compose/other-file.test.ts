import { describe, expect, it } from 'vitest';
import { otherFile, whatItIs } from '../../../../src/shared/compose/other-file.ts';

const DOCKER_RUN = 'docker run -d --name db mysql:8.4\n';

describe('what a file is that is no Compose file', () => {
  it.each<[kind: string, name: string, text: string]>([
    ['workflow', '.github/workflows/test.yml', ''],
    ['workflow', 'C:\\project\\.github\\workflows\\test.yml', ''],
    ['workflow', 'ci.yaml', 'on: push\njobs:\n  test:\n    services:\n      mysql:\n        image: mysql\n'],
    ['workflow', '/project/.gitlab-ci.yml', 'services:\n  - mysql:8.4\n'],
    ['workflow', '.circleci/config.yml', 'version: 2.1\n'],
    ['workflow', '.woodpecker/test.yaml', 'services:\n  db:\n    image: mysql\n'],
    ['quadlet', 'db.container', ''],
    ['quadlet', 'unit', '[Unit]\nDescription=db\n\n[Container]\nImage=mysql:8.4\n'],
    ['script', 'start.sh', `#!/bin/sh\nset -e\n${DOCKER_RUN}`],
    ['script', 'start', `  sudo ${DOCKER_RUN}`],
    ['script', 'start.ps1', 'podman container create mysql\r\n'],
    ['script', 'Makefile', 'db:\n\t@docker run -d mysql:8.4\n'],
    ['script', 'db.service', '[Service]\nExecStart=/usr/bin/docker run --rm mysql:8.4\n'],
    ['kubernetes', 'mysql.json', '{\n  "apiVersion": "v1",\n  "kind": "Pod"\n}\n'],
    ['dockerfile', 'Dockerfile.mysql', ''],
    ['dockerfile', 'db.dockerfile', ''],
    ['dockerfile', 'image', '# syntax=docker/dockerfile:1\nARG V=8.4\nFROM mysql:${V}\nCOPY my.cnf /etc/\n'],
    ['devcontainer', '.devcontainer/devcontainer.json', '{}'],
    ['devcontainer', 'dev.json', '{\n  "dockerComposeFile": "../compose.yaml"\n}\n'],
    ['kubernetes', 'mysql.yaml', '# a database\nkind: Pod\napiVersion: v1\n'],
    ['kubernetes', 'chart/Chart.yaml', 'apiVersion: v2\nname: mysql\n'],
    ['kubernetes', 'chart/values.prod.yaml', 'mysql:\n  auth: {}\n'],
    ['source', 'src/test/java/DbTest.java', 'new MySQLContainer<>("mysql:8.4")\n'],
    ['source', 'db.test.mts', ''],
    ['inspect', 'db.json', '[{"Id": "abc", "Config": {"Image": "mysql:8.0"}, "Mounts": []}]'],
    ['inspect', 'image.json', '[\n  { "RepoTags": ["mysql:8.4"], "Config": { "Cmd": ["mysqld"] } }\n]\n'],
    ['options', 'my.cnf', '# tuning\n[mysqld]\nmax-connections = 9\n'],
    ['options', 'server.cnf', '[mariadb-11.4]\r\n'],
    ['wpEnv', 'project/.wp-env.override.json', '{}'],
  ])('%s: %s', (kind, name, text) => expect(whatItIs(name, text)).toBe(kind));

  it.each<[name: string, text: string]>([
    ['compose.yaml', 'services:\n  db:\n    image: mysql\n'],
    ['compose.yaml', `# ${DOCKER_RUN}services:\n  db:\n    command: |\n      ${DOCKER_RUN}`],
    ['compose.yaml', 'x-labels:\n  jobs: 1\ninclude: [a.yaml]\n'],
    ['notes.txt', 'This script runs docker run for you.\n'],
    ['empty', ''],
    ['long', `${'#\n'.repeat(200_000)}${' \n'.repeat(200_000)}kind: x\n`],
  ])('is not known, also in a long file at once: %s', (name, text) => {
    expect(whatItIs(name, text)).toBeUndefined();
    expect(otherFile(name, text)).toBeUndefined();
  });

  it('is named with what to give instead', () => {
    const error = otherFile('db.container', '');
    expect(error).toMatchObject({ code: 'COMPOSE_OTHER_FILE', params: { file: 'db.container' } });
    expect(error?.message).toContain('db.container');
    expect(error?.hint).toContain('podman ps');
  });
});

import { listOf, msg, type Message } from '../message.ts';
import type { Database, DatabaseService } from '../model/database.ts';
import { Texts, type ComposeInput } from './input.ts';
import { projectOf, type Project } from './project.ts';
import { ServiceReader } from './service.ts';
import { placed } from './tree.ts';

export interface ProjectReading {
  needed: string[];
  database: Database;
  project: Project;
  problems: Message[];
}

const MOST_NAMED = 10;
/** Each is looked up in all services. */
const MOST_DATABASES = 40;

/** Without Compose, which isn't everywhere, names no lines, and would load what a file names on other machines. */
export function readProject(input: ComposeInput): ProjectReading {
  const texts = new Texts(input);
  const project = projectOf(input, texts);
  const reader = new ServiceReader(project, input, texts);
  const problems = [...project.problems];
  const services: DatabaseService[] = [];
  for (const [name, service] of project.services) {
    const read = reader.service(name, service);
    if (read !== undefined) services.push(read);
    if (services.length <= MOST_DATABASES) continue;
    problems.push(placed(service.service.at, msg('compose.manyDatabases', { count: MOST_DATABASES })));
    break;
  }
  if (problems.length === 0 && services.length === 0) problems.push(...noDatabase(project, reader));
  return {
    needed: [...texts.needed],
    project,
    database: {
      source: { kind: 'compose', files: [...input.files], project: project.name },
      services,
    },
    problems,
  };
}

function noDatabase({ services, unread: includes }: Project, reader: ServiceReader): Message[] {
  const all = [...services];
  const unread = all.flatMap(([, { problem }]) => problem ?? []);
  const doubts = all.flatMap(([name, service]) => reader.doubtsOf(name, service));
  const [first] = all;
  const images = all.slice(0, MOST_NAMED).map(([name, service]) => {
    return msg('compose.serviceImage', { name, image: reader.shownImage(service) });
  });
  const none =
    first === undefined
      ? []
      : [placed(first[1].service.at, msg('compose.noDatabase', { services: listOf(images) }))];
  return [...unread, ...doubts, ...includes, ...none];
}

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isPlainObject, type JsonObject, readJson, ToolkitError } from '../../../kernel/index.ts';
import { changeSection, lockFolderName, readSection } from '../../shared/lock/lock-file.ts';
import { readPlainFile, refuseLinkedFolder, replaceFile } from '../../shared/lock/plain-file.ts';
import { definitionsFile } from '../../shared/lock/remove-source.ts';
import { type UpstreamEntry, upstreamsSection } from '../../shared/lock/upstreams-section.ts';
import { textOfFile } from '../../shared/text/utf8.ts';
import { itemDigest } from '../define/item-digest.ts';
import type { ServerLists } from '../server-lists.ts';
import type { AcceptedServers } from './accepted-servers.ts';

/** Keeps the accepted definitions in `toolkit.lock` and `toolkit.lock.d/`. `folder`: that of the configuration. */
export function acceptedInLock(folder: string): AcceptedServers {
  return {
    async read(server) {
      const entry = (await readSection(folder, upstreamsSection)).get(server);
      if (entry === undefined) return undefined;
      return { lists: await readDefinitions(folder, server, entry.digest), readOnly: new Set(entry.readOnly) };
    },
    writeFirst: (server, lists) => writeAccepted(folder, server, lists, { onlyFirst: true }),
    change: (server, merge) => changeAccepted(folder, server, merge),
  };
}

async function changeAccepted(folder: string, server: string, merge: Parameters<AcceptedServers['change']>[1]): Promise<void> {
  await changeSection(folder, upstreamsSection, async (entries) => {
    const before = entries.get(server);
    const lists = merge(before === undefined ? undefined : await readDefinitions(folder, server, before.digest));
    return digestOf(lists) === before?.digest ? undefined : withEntry(folder, server, lists, entries);
  });
}

export interface AcceptOptions {
  /** True to leave an entry that is there as it is. @default false */
  readonly onlyFirst?: boolean;
  /** Tools that are accepted as read-only. @default those of the entry */
  readonly readOnly?: readonly string[];
}

/** Writes the entry of a server and its definitions, both as the server lists them. */
export async function writeAccepted(folder: string, server: string, lists: ServerLists, options: AcceptOptions = {}): Promise<void> {
  await changeSection(folder, upstreamsSection, async (entries) => {
    if (options.onlyFirst === true && entries.has(server)) return undefined;
    return withEntry(folder, server, lists, entries, options.readOnly);
  });
}

/** Writes the definitions of a server, and returns the entries with its own. */
async function withEntry(
  folder: string,
  server: string,
  lists: ServerLists,
  entries: ReadonlyMap<string, UpstreamEntry>,
  reads: readonly string[] = entries.get(server)?.readOnly ?? [],
): Promise<ReadonlyMap<string, UpstreamEntry>> {
  const file = definitionsFile(folder, 'upstreams', server);
  await refuseLinkedFolder(path.dirname(file));
  await mkdir(path.dirname(file), { recursive: true });
  await replaceFile(file, `${JSON.stringify(sorted(lists), null, 1)}\n`);
  const tools = new Map(lists.tools.map((tool) => [String(tool['name']), `sha256-${itemDigest(tool)}`]));
  return new Map(entries).set(server, { digest: digestOf(lists), tools, readOnly: reads.filter((name) => tools.has(name)) });
}

function digestOf(lists: ServerLists): string {
  return `sha256-${itemDigest(sorted(lists))}`;
}

async function readDefinitions(folder: string, server: string, digest: string): Promise<ServerLists> {
  const file = definitionsFile(folder, 'upstreams', server);
  const refuse = (problem: string): never => {
    const message = `"${file}" ${problem}. Take toolkit.lock and ${lockFolderName}/ back from git, or accept the server again: toolkit upstream accept ${server}`;
    throw new ToolkitError('CONFIG_INVALID', message, { file });
  };
  await refuseLinkedFolder(path.dirname(file));
  const bytes = (await readPlainFile(file)) ?? refuse('is missing');
  const lists = listsIn(textOfFile(bytes, file)) ?? refuse('has no definitions of a server');
  return digestOf(lists) === digest ? lists : refuse('has changed since it was accepted: its digest is not the one in toolkit.lock');
}

function listsIn(text: string): ServerLists | undefined {
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    return undefined;
  }
  if (!isPlainObject(value)) return undefined;
  const { tools, resources, resourceTemplates, prompts, instructions, completes } = value;
  const lists = [tools, resources, resourceTemplates, prompts];
  if (!lists.every((list) => Array.isArray(list) && list.every(isPlainObject))) return undefined;
  return {
    ...({ tools, resources, resourceTemplates, prompts } as unknown as Record<
      'tools' | 'resources' | 'resourceTemplates' | 'prompts',
      JsonObject[]
    >),
    ...(typeof instructions === 'string' ? { instructions } : {}),
    completes: completes === true,
  };
}

/** Returns the lists in an order that does not depend on that of the server. */
function sorted({ tools, resources, resourceTemplates, prompts, instructions, completes }: ServerLists): ServerLists {
  const by = (list: readonly JsonObject[], key: string): readonly JsonObject[] =>
    list.toSorted((one, other) => (String(one[key]) < String(other[key]) ? -1 : 1));
  return {
    ...(instructions === undefined ? {} : { instructions }),
    tools: by(tools, 'name'),
    resources: by(resources, 'uri'),
    resourceTemplates: by(resourceTemplates, 'uriTemplate'),
    prompts: by(prompts, 'name'),
    completes,
  };
}

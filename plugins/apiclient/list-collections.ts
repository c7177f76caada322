import { stat } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, messageOf } from '../../kernel/index.ts';
import { Unreadable } from '../shared/walks/unreadable.ts';
import { presentDescriptors, type Root, readRoot } from './descriptor.ts';
import { environmentNames } from './environments.ts';
import { codeOf, operationError } from './operation-error.ts';
import type { OperationContext } from './operation-services.ts';
import { entriesOf, type WalkTally } from './request-files.ts';
import { readRequests } from './requests.ts';

/** Maximum depth of nested folders. */
const maxDepth = 30;

interface ListedCollection {
  readonly name: string;
  readonly path: string;
  readonly request_count: number;
  readonly environments: readonly string[];
  readonly tags: readonly string[];
}

/** `apiclient_list_collections`: lists every folder below a workspace that has a descriptor. */
export async function listCollections(
  { workspace_path: workspace, filter = '' }: { readonly workspace_path: string; readonly filter?: string },
  work: OperationContext,
): Promise<unknown> {
  await expectFolder(workspace);
  const errors: string[] = [];
  const unreadable = new Unreadable(workspace);
  const collections: ListedCollection[] = [];
  let isFull = false;
  for await (const root of findRoots(workspace, work, { errors, unreadable }, 0)) {
    if (!root.name.toLowerCase().includes(filter.toLowerCase())) continue;
    isFull = collections.length >= work.limits.maxFiles;
    if (isFull) break;
    collections.push(await toListedCollection(root, work, { errors, unreadable }));
    work.context.progress({ progress: collections.length, message: root.name });
  }
  if (isFull)
    errors.push(`The first ${work.limits.maxFiles} collections are listed, and no more. Search a folder below, or give a filter.`);
  return { success: true, collections, errors, ...unreadable.result };
}

type WalkErrors = Pick<WalkTally, 'errors' | 'unreadable'>;

async function expectFolder(given: string): Promise<void> {
  const stats = await stat(given).catch((error: unknown) => {
    throw operationError(`"${given}" cannot be opened (${codeOf(error)}): expected a folder to search.`, 'NOT_FOUND', error);
  });
  if (!stats.isDirectory()) throw operationError(`"${given}" is a file: expected a folder to search.`, 'NOT_FOUND');
}

async function* findRoots(directory: string, work: OperationContext, noted: WalkErrors, depth: number): AsyncGenerator<Root> {
  const { errors } = noted;
  work.context.signal.throwIfAborted();
  const present = await presentDescriptors(directory, work.descriptors);
  if (present.length > 0) {
    const root = await readRoot(directory, present, work).catch((error: unknown) => void errors.push(excerpt(messageOf(error), 500)));
    if (root !== undefined) yield root;
  }
  for (const entry of await entriesOf(directory, noted)) {
    if (!entry.isDirectory() || entry.name === 'node_modules' || entry.name === '.git') continue;
    if (depth >= maxDepth) {
      errors.push(`${directory}: lies ${maxDepth} folders deep; what is below was not searched.`);
      return;
    }
    yield* findRoots(path.join(directory, entry.name), work, noted, depth + 1);
  }
}

async function toListedCollection(root: Root, work: OperationContext, noted: WalkErrors): Promise<ListedCollection> {
  const { errors, unreadable } = noted;
  const { requests, errors: unread } = await readRequests(root, work, unreadable);
  errors.push(...unread.map((error) => `${root.directory}/${error}`));
  return {
    name: root.name,
    path: root.directory,
    request_count: requests.length,
    environments: await environmentNames(root, noted),
    tags: [...new Set(requests.flatMap(({ tags }) => tags))].sort(),
  };
}

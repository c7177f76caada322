import path from 'node:path';
import { excerpt, messageOf } from '../../kernel/index.ts';
import { Unreadable } from '../shared/walks/unreadable.ts';
import { readBlocks } from './bru-blocks.ts';
import { bruLanguage } from './bru-language.ts';
import { type CollectionContext, findCollection, type Root } from './descriptor.ts';
import { orderOf, type RequestFacts, readBruRequest, readYamlRequest } from './read-request.ts';
import { type Folder, requestTree, type WalkTally } from './request-files.ts';
import type { NamedFile } from './run-guard.ts';
import { readSmallFile } from './small-file.ts';
import { yamlValue } from './yaml-value.ts';

export interface Request extends RequestFacts {
  /** Path relative to the collection, with `/`. */
  readonly file: string;
}

export interface Collection {
  readonly root: Root;
  /** In the order in which the runner runs them. */
  readonly requests: readonly Request[];
  /** Errors of unreadable files, one line each. The other files are read. */
  readonly errors: readonly string[];
  readonly unreadable: Unreadable;
}

export async function readCollection(given: string, work: CollectionContext): Promise<Collection> {
  return readRequests(await findCollection(given, work), work);
}

/** Returns the files that the requests and their collection name. */
export function namedFiles(root: Root, requests: readonly Request[]): readonly NamedFile[] {
  const ofRequests = requests.flatMap(({ file, files }) => files.map((named) => ({ by: file, path: named })));
  return [...root.files.map((named) => ({ by: root.descriptors.join(' or '), path: named })), ...ofRequests];
}

/** Reads the requests: folders first, then requests, each in its given order. `unreadable`: collects for a larger walk that this is part of. */
export async function readRequests(
  root: Root,
  { limits, context }: CollectionContext,
  unreadable = new Unreadable(root.directory),
): Promise<Collection> {
  const tally: WalkTally = { errors: [], unreadable, files: 0, maxFiles: limits.maxFiles };
  const tree = await requestTree(root, tally);
  const reader = new Reader(root, limits.maxFileBytes, tally, context.signal);
  return { root, requests: await reader.requestsIn(tree), errors: tally.errors, unreadable };
}

class Reader {
  readonly #root: Root;
  readonly #maxBytes: number;
  readonly #tally: WalkTally;
  readonly #signal: AbortSignal;

  constructor(root: Root, maxBytes: number, tally: WalkTally, signal: AbortSignal) {
    this.#root = root;
    this.#maxBytes = maxBytes;
    this.#tally = tally;
    this.#signal = signal;
  }

  async requestsIn(folder: Folder): Promise<readonly Request[]> {
    const folders: OrderedFolder[] = [];
    for (const inner of folder.folders) folders.push({ order: await this.#orderOf(inner), requests: await this.requestsIn(inner) });
    const requests: Request[] = [];
    for (const name of folder.files) {
      const request = await this.#read(folder.path === '' ? name : `${folder.path}/${name}`);
      if (request !== undefined) requests.push(request);
    }
    return [...sortFolders(folders).flatMap((inner) => inner.requests), ...requests.sort(byOrder)];
  }

  async #read(file: string): Promise<Request | undefined> {
    const read = this.#root.format === 'bru' ? readBruRequest : readYamlRequest;
    this.#signal.throwIfAborted();
    try {
      const request = await read(await readSmallFile(path.join(this.#root.directory, file), this.#maxBytes), this.#signal);
      if (request === undefined) return undefined;
      return { ...request, name: request.name === '' ? path.posix.basename(file).replace(/\.\w+$/, '') : request.name, file };
    } catch (error) {
      this.#tally.errors.push(`${file}: cannot be read: ${excerpt(messageOf(error))}`);
      this.#tally.unreadable.addSystemError(path.join(this.#root.directory, file), error);
      return undefined;
    }
  }

  async #orderOf(folder: Folder): Promise<number> {
    const isBru = this.#root.format === 'bru';
    const file = path.join(this.#root.directory, folder.path, isBru ? 'folder.bru' : 'folder.yml');
    try {
      const text = await readSmallFile(file, this.#maxBytes);
      if (isBru) return orderOf(readBlocks(text, (await bruLanguage()).collectionBruToJson).content.meta?.seq);
      return orderOf(((await yamlValue(text, this.#signal)) as { info?: { seq?: unknown } } | null)?.info?.seq);
    } catch {
      // Most folders have no such file; the runner reports errors in one.
      return orderOf(undefined);
    }
  }
}

/** A folder with its position. */
interface OrderedFolder {
  readonly order: number;
  readonly requests: readonly Request[];
}

/**
 * Sorts folders as the runner does: removes those with a position from the list sorted by name, and inserts them at their positions, lowest first.
 * Folders with the same position share it.
 */
function sortFolders(folders: readonly OrderedFolder[]): readonly OrderedFolder[] {
  const hasPosition = ({ order }: OrderedFolder): boolean => Number.isInteger(order) && order > 0;
  const slots = folders.filter((folder) => !hasPosition(folder)).map((folder) => [folder]);
  for (const folder of folders.filter(hasPosition).sort(byOrder)) {
    const there = slots[folder.order - 1];
    if (there?.[0]?.order === folder.order) there.push(folder);
    else slots.splice(folder.order - 1, 0, [folder]);
  }
  return slots.flat();
}

/** Compares positions. Equal ones keep the order of their names. */
function byOrder(left: { readonly order: number }, right: { readonly order: number }): number {
  return left.order === right.order ? 0 : left.order - right.order;
}

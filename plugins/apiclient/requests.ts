import path from 'node:path';
import { excerpt, messageOf } from '../../kernel/index.ts';
import { Unreadable } from '../shared/walks/unreadable.ts';
import { readBlocks } from './bru-blocks.ts';
import { bruLanguage } from './bru-language.ts';
import { type CollectionContext, findCollection, type Root } from './descriptor.ts';
import { orderOf, type RequestFacts, readBruRequest, readYamlRequest } from './read-request.ts';
import { type Folder, requestTree, type Tally } from './request-files.ts';
import type { NamedFile } from './run-guard.ts';
import { readSmallFile } from './small-file.ts';
import { yamlValue } from './yaml-value.ts';

export interface Request extends RequestFacts {
  /** Relative to the collection, with `/`. */
  readonly file: string;
}

export interface Collection {
  readonly root: Root;
  /** In the order in which the runner runs them. */
  readonly requests: readonly Request[];
  /** What could not be read, one line a file. The rest is there. */
  readonly errors: readonly string[];
  readonly unreadable: Unreadable;
}

export async function readCollection(given: string, work: CollectionContext): Promise<Collection> {
  return readRequests(await findCollection(given, work), work);
}

/** The files that requests name, and those that their collection does. */
export function namedFiles(root: Root, requests: readonly Request[]): readonly NamedFile[] {
  const ofRequests = requests.flatMap(({ file, files }) => files.map((named) => ({ by: file, path: named })));
  return [...root.files.map((named) => ({ by: root.descriptors.join(' or '), path: named })), ...ofRequests];
}

/** Folders come first, then requests, by the place that they say. `unreadable`: of a walk that this one is part of. */
export async function readRequests(
  root: Root,
  { limits, context }: CollectionContext,
  unreadable = new Unreadable(root.directory),
): Promise<Collection> {
  const tally: Tally = { errors: [], unreadable, files: 0, maxFiles: limits.maxFiles };
  const tree = await requestTree(root, tally);
  const reader = new Reader(root, limits.maxFileBytes, tally, context.signal);
  return { root, requests: await reader.requestsIn(tree), errors: tally.errors, unreadable };
}

class Reader {
  readonly #root: Root;
  readonly #maxBytes: number;
  readonly #tally: Tally;
  readonly #signal: AbortSignal;

  constructor(root: Root, maxBytes: number, tally: Tally, signal: AbortSignal) {
    this.#root = root;
    this.#maxBytes = maxBytes;
    this.#tally = tally;
    this.#signal = signal;
  }

  async requestsIn(folder: Folder): Promise<readonly Request[]> {
    const folders: Placed[] = [];
    for (const inner of folder.folders) folders.push({ order: await this.#orderOf(inner), requests: await this.requestsIn(inner) });
    const requests: Request[] = [];
    for (const name of folder.files) {
      const request = await this.#read(folder.path === '' ? name : `${folder.path}/${name}`);
      if (request !== undefined) requests.push(request);
    }
    return [...inPlaces(folders).flatMap((inner) => inner.requests), ...requests.sort(byOrder)];
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
      // Most folders have none; what is wrong with one is for the runner to say.
      return orderOf(undefined);
    }
  }
}

/** A folder with the place that it says. */
interface Placed {
  readonly order: number;
  readonly requests: readonly Request[];
}

/**
 * In the order of the runner: of the list by name it takes those that say a place out, and puts them back there one after the other, the
 * lowest place first. Those of one place share it.
 */
function inPlaces(folders: readonly Placed[]): readonly Placed[] {
  const hasPlace = ({ order }: Placed): boolean => Number.isInteger(order) && order > 0;
  const places = folders.filter((folder) => !hasPlace(folder)).map((folder) => [folder]);
  for (const folder of folders.filter(hasPlace).sort(byOrder)) {
    const there = places[folder.order - 1];
    if (there?.[0]?.order === folder.order) there.push(folder);
    else places.splice(folder.order - 1, 0, [folder]);
  }
  return places.flat();
}

/** Those of the same place stay in the order of their names. */
function byOrder(left: { readonly order: number }, right: { readonly order: number }): number {
  return left.order === right.order ? 0 : left.order - right.order;
}

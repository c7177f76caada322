import nodePath from 'node:path';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { OutputRoom } from '../../../../plugins/shared/output-room/output-room.ts';
import type { ReplacedResult } from '../../../../plugins/shared/text/utf8.ts';
import { Unreadable, type UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { fileError } from '../files/file-error.ts';
import type { LeftOutResult } from '../files/git-exclusions.ts';
import { pageOf } from '../files/page-of.ts';
import { fileOrFolderAt, filesBelow } from './files-below.ts';
import { linePattern } from './line-pattern.ts';
import { FileSearch, type LineMatch } from './search-file.ts';

export interface SearchParameters {
  readonly pattern: string;
  readonly path: string;
  readonly regex: boolean;
  readonly case_sensitive: boolean;
  readonly glob?: string;
  readonly output: 'matches' | 'files' | 'counts';
  readonly context: number;
  readonly max_results: number;
  readonly offset: number;
}

export interface SearchRequest extends SearchParameters {
  /** Relative paths of the files that may have a match. @default all files */
  readonly candidates?: readonly string[];
  /** Searches nothing when there are more files. @default no limit */
  readonly maxFiles?: number;
}

interface FoundMatch extends LineMatch {
  readonly path: string;
}

interface FoundLines {
  readonly path: string;
  readonly lines: number;
}

export interface SearchResult extends LeftOutResult, UnreadableResult, ReplacedResult {
  readonly matches?: readonly FoundMatch[];
  readonly files?: readonly string[];
  readonly counts?: readonly FoundLines[];
  readonly truncated: boolean;
  readonly next_offset?: number;
}

/** Result when there are more than `maxFiles` files to search. */
export interface TooManyFiles {
  readonly many: { readonly wanted: number; readonly seen: number };
}

/**
 * Searches the lines of files, in the order of their paths. Skips files that hold secrets. Runs in a child process, so the file
 * system calls are synchronous. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED.
 */
export async function searchFiles(
  request: SearchRequest,
  { controlFiles, output: { budget } }: Pick<FunctionContext, 'controlFiles' | 'output'>,
): Promise<SearchResult | TooManyFiles> {
  const { path, glob = '**/*', maxFiles = Number.POSITIVE_INFINITY, candidates } = request;
  const fileSearch = new FileSearch(linePattern(request));
  const place = fileOrFolderAt(path);
  const { paths, seen, leftOut, unreadable } = place.isFile
    ? { paths: [''], seen: 1, leftOut: {}, unreadable: new Unreadable(place.real) }
    : await filesBelow(place.real, glob, { parameter: 'glob' });
  if (paths.length > maxFiles) return { many: { wanted: paths.length, seen } };
  const found = new Findings(request, fileSearch, budget);
  const held = controlFiles;
  const named = candidates === undefined ? undefined : new Set(candidates);
  for (const name of paths) {
    // A name that is not UTF-8 is always tried, so that it is reported as unreadable.
    if (named !== undefined && !named.has(name) && !name.includes('\uFFFD')) continue;
    const file = nodePath.join(place.real, name);
    if (held.find(file, 'read') !== undefined) continue;
    try {
      found.take(file, name === '' ? nodePath.basename(path) : name);
    } catch (error) {
      if (place.isFile) throw fileError(error, 'search', path);
      unreadable.add(file, error);
    }
    if (found.isFull) break;
  }
  return found.result({ ...unreadable.result, ...leftOut });
}

/** Collects matches, up to one more than the result has; that one shows that the list is incomplete. */
class Findings {
  readonly #request: SearchRequest;
  readonly #search: FileSearch;
  readonly #budget: number | undefined;
  readonly #room: OutputRoom;
  readonly #found: { readonly shown: FoundMatch | FoundLines | string; readonly replaced: number }[] = [];
  #hasSlotFor = true;

  constructor(request: SearchRequest, search: FileSearch, budget: number | undefined) {
    this.#request = request;
    this.#search = search;
    this.#budget = budget;
    this.#room = new OutputRoom(budget);
  }

  get isFull(): boolean {
    return this.#found.length >= this.#wanted || !this.#hasSlotFor;
  }

  /** Searches a file. Throws what `node:fs` throws. */
  take(file: string, path: string): void {
    const { output, context } = this.#request;
    if (output === 'matches') {
      const matches = this.#search.matchesOf(file, { context, limit: this.#wanted - this.#found.length });
      for (const { match, replaced } of matches) this.#add({ path, ...match }, replaced);
      return;
    }
    const lines = this.#search.countOf(file, output === 'files' ? 1 : undefined);
    if (lines > 0) this.#add(output === 'files' ? path : { path, lines }, 0);
  }

  result(around: LeftOutResult & UnreadableResult): SearchResult {
    const { output, offset, max_results: maxResults } = this.#request;
    const items = this.#found.map(({ shown }) => shown);
    const { shown, end } = pageOf(items, { offset, maxResults, budget: this.#budget, around: { ...around, replaced: 1e9 } });
    const replaced = this.#found.slice(offset, offset + shown.length).reduce((sum, one) => sum + one.replaced, 0);
    return { [output]: shown, ...end, ...(replaced === 0 ? {} : { replaced }), ...around };
  }

  get #wanted(): number {
    return this.#request.offset + this.#request.max_results + 1;
  }

  #add(shown: FoundMatch | FoundLines | string, replaced: number): void {
    this.#found.push({ shown, replaced });
    if (this.#found.length > this.#request.offset && !this.#room.take(shown)) this.#hasSlotFor = false;
  }
}

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, type JsonObject, messageOf, ToolkitError } from '../../../kernel/index.ts';
import type { CallTrail, CallTrailPage, CallTrailQuery } from '../../shared/calls/trail-fact.ts';
import { Chain } from '../chain.ts';
import { segmentNames } from '../folder/segment-names.ts';
import { ChainReader, type FoundCall, ReadBudget } from './chain-reader.ts';
import { readCursor, type TrailPositions, writeCursor } from './page-cursor.ts';

/** Maximum number of bytes that a page reads. With a filter, a page may end before it has found anything. */
const pageBytes = 64 * 1024 * 1024;

/** Maximum number of bytes that a search for one call reads: more than a trail of the default size has. */
const findBytes = 1024 * 1024 * 1024;

const idPattern = /^[\w-]{1,100}$/;

interface ReadOptions {
  readonly from?: TrailPositions;
  readonly maxBytes: number;
  readonly mayMatch?: (line: Buffer) => boolean;
}

/**
 * Reads the ends of calls from the files of a trail, newest first; from a folder, those of all segments by their time. Lines that do not verify are
 * left out and counted. It compares each line with its own hash only: `audit verify` follows the chain.
 */
export class TrailReader implements CallTrail {
  readonly #trail: string;
  readonly #chain: Chain;

  constructor(trail: string, key?: string) {
    this.#trail = trail;
    this.#chain = new Chain(key);
  }

  async read({ limit, after, tool }: CallTrailQuery): Promise<CallTrailPage> {
    const text = tool === undefined ? undefined : Buffer.from(`"tool":${JSON.stringify(tool)}`);
    const options: ReadOptions = {
      maxBytes: pageBytes,
      ...(after === undefined ? {} : { from: readCursor(after) }),
      ...(text === undefined ? {} : { mayMatch: (line: Buffer) => line.includes(text) }),
    };
    return this.#reading(options, async (readers, budget) => {
      const records: JsonObject[] = [];
      for (let call = await this.#newest(readers, budget); call !== undefined; call = await this.#newest(readers, budget)) {
        if (records.length === limit) break;
        const { record } = shiftNewest(readers, call);
        // A parameter may have the same text.
        if (tool === undefined || record['tool'] === tool) records.push(record);
      }
      const positions = positionsOf(readers);
      return { records, broken: budget.broken, ...(positions.size === 0 ? {} : { next: writeCursor(positions) }) };
    });
  }

  async find(callId: string): Promise<JsonObject | undefined> {
    if (!idPattern.test(callId)) return undefined;
    const text = Buffer.from(`"call_id":"${callId}"`);
    return this.#reading({ maxBytes: findBytes, mayMatch: (line) => line.includes(text) }, async (readers, budget) => {
      for (let call = await this.#newest(readers, budget); call !== undefined; call = await this.#newest(readers, budget)) {
        const { record } = shiftNewest(readers, call);
        if (record['call_id'] === callId) return record;
      }
      return undefined;
    });
  }

  /** Returns the newest call that was not taken. Undefined when there is none, or the budget ended before it was certain. */
  async #newest(readers: ReadonlyMap<string, ChainReader>, budget: ReadBudget): Promise<FoundCall | undefined> {
    for (const reader of readers.values()) await reader.look();
    const heads = [...readers.values()].flatMap(({ head }) => head ?? []);
    const isComplete =
      !budget.isUsedUp || [...readers.values()].every(({ head, position }) => head !== undefined || position === undefined);
    return isComplete
      ? heads.reduce<FoundCall | undefined>((first, head) => (first === undefined || head.time > first.time ? head : first), undefined)
      : undefined;
  }

  async #reading<T>(
    { from, maxBytes, mayMatch }: ReadOptions,
    work: (readers: ReadonlyMap<string, ChainReader>, budget: ReadBudget) => Promise<T>,
  ): Promise<T> {
    const readers = new Map<string, ChainReader>();
    try {
      const budget = new ReadBudget(maxBytes);
      const options = { chain: this.#chain, budget, ...(mayMatch === undefined ? {} : { mayMatch }) };
      // A segment that a cursor does not name was read to its end, or began later.
      for (const name of await this.#chains())
        if (from === undefined || from.has(name))
          readers.set(name, new ChainReader(path.join(this.#trail, name), options, from?.get(name)));
      return await work(readers, budget);
    } catch (error) {
      if (ToolkitError.is(error)) throw error;
      // Node writes `EACCES: permission denied, open '…'`.
      const [problem = ''] = messageOf(error).split(', ');
      const message = `The audit trail "${this.#trail}" cannot be read: ${excerpt(problem)}. Correct that, and try again.`;
      throw new ToolkitError('STATE_UNAVAILABLE', message, { file: this.#trail }, { cause: error });
    } finally {
      for (const reader of readers.values()) await reader.close();
    }
  }

  /** Returns the names of the files that have a chain, in a folder; one empty name for a trail in one file. */
  async #chains(): Promise<readonly string[]> {
    const isFolder = await stat(this.#trail).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    return isFolder ? segmentNames(this.#trail) : [''];
  }
}

function shiftNewest(readers: ReadonlyMap<string, ChainReader>, call: FoundCall): FoundCall {
  for (const reader of readers.values()) if (reader.head === call) reader.shift();
  return call;
}

function positionsOf(readers: ReadonlyMap<string, ChainReader>): TrailPositions {
  const positions = new Map<string, NonNullable<ChainReader['position']>>();
  for (const [name, { position }] of readers) if (position !== undefined) positions.set(name, position);
  return positions;
}

import path from 'node:path';
import type { Logger } from '../../../kernel/index.ts';
import { readTextIfThere } from '../../shared/text/read-text.ts';
import { Chain, type ChainEnd, chainStart, type RecordBody, recordText } from '../chain.ts';
import { singleFile } from '../trail-location.ts';
import { TrailWriter } from '../trail-writer.ts';
import { IndexEntries } from './index-entries.ts';
import { indexName } from './segment-names.ts';

/**
 * The index of a folder: a chain with its own head, where each process enters the segments that it begins and rotates. It is locked for the
 * milliseconds of a write; the lock of an ended process is taken over.
 */
export class TrailIndex {
  readonly #file: string;
  readonly #key: string | undefined;
  readonly #logger: Logger;

  constructor(folder: string, key: string | undefined, logger: Logger) {
    this.#file = path.join(folder, indexName);
    this.#key = key;
    this.#logger = logger;
  }

  /** Reads the entries that verify. */
  async read(): Promise<IndexEntries> {
    const entries = new IndexEntries();
    const chain = new Chain(this.#key);
    for (const line of ((await readTextIfThere(this.#file)) ?? '').split('\n')) {
      const reading = chain.read(Buffer.from(line));
      if (reading.type === 'record') entries.add(reading.record);
    }
    return entries;
  }

  /** Writes an entry and returns its chain end. Throws ToolkitError when it cannot be written. */
  async enter(body: RecordBody): Promise<ChainEnd> {
    const writer = new TrailWriter(
      {
        path: this.#file,
        location: singleFile(this.#file, 'wait'),
        maxBytes: Number.MAX_SAFE_INTEGER,
        maxRotatedFiles: 0,
        replacesRemoved: true,
        ...(this.#key === undefined ? {} : { key: this.#key }),
      },
      this.#logger,
    );
    try {
      await writer.ready();
      await writer.write([{ record: recordText(body) }]);
      return writer.end ?? chainStart;
    } finally {
      await writer.close();
    }
  }
}

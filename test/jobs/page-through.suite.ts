import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFiles } from '../support/temporary.ts';
import { runJob } from './run-job.ts';

interface PagedText {
  readonly bytes: number;
  /** SHA-256 of the pages, one after the other. */
  readonly sha256: string;
}

interface Page {
  readonly content: string;
  readonly truncated: boolean;
  readonly next_offset?: number;
}

const words = ['Tea', 'naïve', 'Straße', '\\"quoted\\"', '東京', '\\u0007', '🙂', 'of', 'the', 'C:\\\\films'];

runJob<PagedText>({
  number: 26,
  title: 'page through 1.4 MB of JSON to the end',
  async prepare(folder, random) {
    const films: string[] = [];
    for (let bytes = 0; bytes < 1_400_000; bytes += Buffer.byteLength(films.at(-1) ?? '') + 2) {
      const title = Array.from({ length: random.between(1, 9) }, () => random.oneOf(words)).join(' ');
      // Now and then one is longer than an answer may be.
      const plot = random.chance(0.0005) ? 'line after line '.repeat(6000) : '';
      films.push(`{"id": ${films.length}, "title": "${title}", "year": ${random.between(1890, 2026)}, "plot": "${plot}"}`);
    }
    await writeFiles(folder, { 'movies.json': `[\n${films.join(',\n')}\n]\n` });
  },
  async steps(client) {
    const read = await client.tool('fs_read_file', 'read a file');
    const hash = createHash('sha256');
    let bytes = 0;
    let page: Page | undefined;
    do {
      page = await read.call<Page & Record<string, unknown>>({
        path: 'movies.json',
        ...(page?.next_offset === undefined ? {} : { offset: page.next_offset }),
      });
      bytes += Buffer.byteLength(page.content);
      hash.update(page.content);
    } while (page.truncated);
    return { bytes, sha256: hash.digest('hex') };
  },
  expected(folder) {
    const options = { cwd: folder, encoding: 'utf8' } as const;
    return {
      bytes: Number(execFileSync('stat', ['-c', '%s', 'movies.json'], options)),
      sha256: execFileSync('sha256sum', ['movies.json'], options).slice(0, 64),
    };
  },
});

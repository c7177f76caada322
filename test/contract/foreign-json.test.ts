import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { sources } from './sources.ts';

/** Readers of JSON that round an integer beyond ±(2^53−1). */
const rounding = /\bJSON\.parse\b|\.json\(\)/;

/** The one reader that does not, which is built on the other. */
const reader = 'kernel/json/read-json.ts';

/**
 * The marks, on the line or right above it, with a reason: a text that this program, its package or its operator wrote, or one of which no number
 * is used.
 */
const mark = /\/\/ (?:Own text|No number): \S/;

describe('JSON that others wrote', () => {
  it('is read by readJson, which rounds no integer; what reads a text of our own says so', async () => {
    const places: string[] = [];
    for (const file of await sources()) {
      if (file === reader) continue;
      const lines = (await readFile(file, 'utf8')).split('\n');
      lines.forEach((line, index) => {
        if (/^\s*(?:\/\/|\/?\*)/.test(line) || !rounding.test(line.replace(/\/\/ .*$/, ''))) return;
        if (!mark.test(line) && !mark.test(lines[index - 1] ?? '')) places.push(`${file}:${index + 1}`);
      });
    }
    expect(places, 'Read it by readJson of the kernel, or say why its integers are small: "// Own text: …"').to.deep.equal([]);
  });
});

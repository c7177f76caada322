import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';

const rows = (await readFile('SECURITY.md', 'utf8'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (---|an? .* cannot …)/.test(line));

describe('the promises of SECURITY.md', () => {
  it('are many', () => {
    expect(rows.length).to.be.greaterThan(15);
  });

  for (const row of rows) {
    const [, promise = '', proofs = '', holdsBy = ''] = row.split('|').map((cell) => cell.trim());
    it(`have a test each: ${promise}`, () => {
      const files = [...proofs.matchAll(/\]\((test\/[^)]+\.(?:test|e2e|suite)\.ts)\)/g)].map(([, file]) => file ?? '');
      expect(files).to.not.be.empty;
      expect(files.filter((file) => !existsSync(file))).to.deep.equal([]);
    });
    it(`say by which construction or list they hold: ${promise}`, () => {
      expect(holdsBy).to.match(/^(construction|list): \S/);
    });
  }
});

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';

/**
 * Compares a screen with the file `test/e2e/screens/<name>.txt`. `places` are texts that differ from run to run, such as the temporary
 * folder, with what stands for them. UPDATE_SNAPSHOTS=1 writes the file instead: read what changed before it is committed.
 */
export async function matchesSnapshot(name: string, screen: string, places: Readonly<Record<string, string>> = {}): Promise<void> {
  const file = path.resolve('test/e2e/screens', `${name}.txt`);
  const steady = Object.entries(places).reduce((text, [place, name]) => text.replaceAll(place, name), screen);
  const text = `${steady.trimEnd()}\n`;
  if (process.env['UPDATE_SNAPSHOTS'] === '1') {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return;
  }
  expect(text, `differs from ${file}; UPDATE_SNAPSHOTS=1 writes it anew`).to.equal(await readFile(file, 'utf8'));
}

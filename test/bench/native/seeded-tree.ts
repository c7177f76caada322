import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Words of the generated files; the last one stands in one file of a hundred. */
const words = ['const', 'return', 'value', 'import', 'string', 'number', 'folder', 'result', 'await', 'export', 'readonly', 'Grüße'];

/** The word that few files hold. */
export const rareWord = 'needleword';

const filesPerFolder = 20;

/** Every so many files one holds null bytes, is long, or holds the rare word. */
const every = { binary: 50, long: 25, rare: 100 } as const;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Writes a tree of so many files as a source tree has them: 20 a folder, folders in folders, mostly one to eight kilobytes of lines, some of 64 kB,
 * some with null bytes. The same seed and count give the same tree.
 */
export async function writeSeededTree(top: string, count: number, seed: number): Promise<void> {
  const random = seeded(seed);
  for (let folder = 0; folder * filesPerFolder < count; folder++) {
    const place = path.join(top, folderName(folder));
    await mkdir(place, { recursive: true });
    const files = Array.from({ length: Math.min(filesPerFolder, count - folder * filesPerFolder) }, (_, index) => {
      const number = folder * filesPerFolder + index;
      return [path.join(place, `file-${number}${number % 3 === 0 ? '.ts' : '.md'}`), contentOf(number, random)] as const;
    });
    await Promise.all(files.map(([file, content]) => writeFile(file, content)));
  }
}

/** Ten folders in each folder, as deep as it takes. */
function folderName(folder: number): string {
  const names: string[] = [];
  for (let rest = folder; rest > 0; rest = Math.floor((rest - 1) / 10)) names.unshift(`part-${(rest - 1) % 10}`);
  return path.join(...names);
}

function contentOf(number: number, random: () => number): string {
  const lines = number % every.long === 0 ? 1200 : 20 + Math.floor(random() * 130);
  const text = Array.from({ length: lines }, () => lineOf(random));
  if (number % every.rare === 0) text[Math.floor(lines / 2)] = `  ${rareWord} of file ${number}`;
  return `${number % every.binary === 7 ? 'binary\0' : ''}${text.join('\n')}\n`;
}

function lineOf(random: () => number): string {
  return Array.from({ length: 4 + Math.floor(random() * 8) }, () => words[Math.floor(random() * words.length)]).join(' ');
}

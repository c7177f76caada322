import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installIn } from '../support/installed.ts';
import { temporaryFolder } from '../support/temporary.ts';

export const readme = await readFile('README.md', 'utf8');
/** The snippets of the README. */
export const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
  language: match[1] ?? '',
  text: match[2] ?? '',
}));

/** A project made of the snippets that begin with a comment naming their file, beside an installed toolkit. */
export async function projectOfSnippets(names: readonly string[]): Promise<string> {
  const folder = await temporaryFolder({ 'package.json': '{ "name": "readme", "type": "module" }', 'three.txt': 'one\ntwo\nthree\n' });
  await installIn(folder);
  for (const { text } of blocks) {
    const name = /^(?:#|\/\/) (\S+)\n/.exec(text)?.[1];
    if (name === undefined || !names.includes(name)) continue;
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

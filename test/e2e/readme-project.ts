import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installIn } from '../support/installed.ts';
import { temporaryFolder } from '../support/temporary.ts';

export const readme = await readFile('README.md', 'utf8');

/** The pages whose snippets are run with those of the README. */
export const setupGuide = 'plugins/mcp/commands/setup/README.md';
export const toolsGuide = 'plugins/toolkit/TOOLS.md';
export const commandsGuide = 'plugins/cli/README.md';

/** A code block of a page. */
export interface Snippet {
  readonly language: string;
  readonly text: string;
}

/** Returns the snippets of a Markdown text, in their order. */
export function snippetsIn(markdown: string): readonly Snippet[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }));
}

/** Returns the commands that set the program up, as the README has them: one a line. */
export function setupCommands(): readonly string[] {
  return snippetsIn(readme)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'));
}

/** Makes a project of the snippets of a page that begin with a comment naming their file, beside an installed toolkit. */
export async function projectOfSnippets(names: readonly string[], page = 'README.md'): Promise<string> {
  const folder = await temporaryFolder({ 'package.json': '{ "name": "readme", "type": "module" }', 'three.txt': 'one\ntwo\nthree\n' });
  await installIn(folder);
  await addSnippets(folder, names, page);
  return folder;
}

/** Writes the named snippets of a page into a folder. */
export async function addSnippets(folder: string, names: readonly string[], page: string): Promise<void> {
  for (const { text } of snippetsIn(await readFile(page, 'utf8'))) {
    const name = /^(?:#|\/\/) (\S+)\n/.exec(text)?.[1];
    if (name === undefined || !names.includes(name)) continue;
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Tool } from '../../../kernel/index.ts';
import { guides } from './guides.ts';
import { commandsPage } from './pages/commands-page.ts';
import { definitionKeysPage } from './pages/definition-keys-page.ts';
import { errorsPage } from './pages/errors-page.ts';
import { hooksPage } from './pages/hooks-page.ts';
import { llmsText } from './pages/llms-text.ts';
import { mapPage } from './pages/map-page.ts';
import { optionsPage } from './pages/options-page.ts';
import { toolsPage } from './pages/tools-page.ts';
import { publishedSchemas } from './published-schemas.ts';

/** Folder of the reference, relative to the folder of package.json. */
export const referenceFolder = 'plugins/toolkit/reference';

export interface ReferenceTitle {
  readonly title: string;
  readonly summary: string;
}

/** The pages of the reference, in display order. */
export const referenceTitles = {
  'tools.md': { title: 'Tools', summary: 'every tool with its risk, its approval and its purpose' },
  'commands.md': { title: 'Commands', summary: 'the command line: arguments, flags, defaults and examples' },
  'definition-keys.md': { title: 'Keys of definitions', summary: 'the keys of tool and provider files' },
  'options.md': { title: 'Options', summary: 'the options of a configuration and of every plugin' },
  'hooks.md': {
    title: 'Hooks',

    summary: 'the extension points: when each runs, the arguments and results of its taps, and the meaning of a throw',
  },
  'errors.md': {
    title: 'Error codes',

    summary: 'every code, its meaning, who can fix it, and whether to repeat the call',
  },
  'map.md': { title: 'Where is what', summary: 'the source, by question and by folder, for contributors' },
} as const satisfies Readonly<Record<string, ReferenceTitle>>;

export type ReferenceName = keyof typeof referenceTitles;

export type ReferenceTexts = Readonly<Record<ReferenceName | 'llms.txt', string>>;

/** Generates the files of the reference by name, from the source and `dist/schemas`. `root`: the folder of package.json. */
export async function referencePages(root: string, tools: readonly Tool[]): Promise<ReferenceTexts> {
  const schemas = await publishedSchemas(root);
  // Own text: package.json.
  const { name, description } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Record<
    'name' | 'description',
    string
  >;
  const reference = Object.entries(referenceTitles).map(([file, { title, summary }]) => ({
    file: `${referenceFolder}/${file}`,
    title,
    summary,
  }));
  return {
    'tools.md': toolsPage(tools),
    'commands.md': commandsPage(),
    'definition-keys.md': definitionKeysPage(schemas),
    'options.md': await optionsPage(root, schemas),
    'hooks.md': await hooksPage(root),
    'errors.md': errorsPage(),
    'map.md': mapPage(),
    'llms.txt': llmsText({ name, summary: description, folder: referenceFolder, reference, guides }),
  };
}

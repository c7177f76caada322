import path from 'node:path';
import { sentenceCase } from 'change-case';
import { shellWord } from '../../../shared/text/shell-word.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { fillTemplate, foldedBlock } from './fill-template.ts';
import { schemaPlace } from './schema-place.ts';
import type { ToolKind } from './tool-kinds.ts';
import type { NewFile } from './write-all.ts';

export interface ToolRequest {
  readonly name: string;
  readonly kind: ToolKind;
  /** One line. */
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  /** That folder as seen from where tools may read files. */
  readonly shownFolder: string;
  /** Of an http tool: its provider, and the name of its bearer token when it has one. */
  readonly provider?: { readonly name: string; readonly bearer?: string };
}

/** A file of a tool, with what it is in a few words. */
export interface ToolFile extends NewFile {
  readonly what: string;
}

interface Part {
  readonly template: string;
  readonly ending: string;
  readonly what: string;
}

interface Template {
  readonly description: string;
  readonly parts: readonly Part[];
  /** Parameters of a call that works, as words of a command line. */
  readonly call: (request: Pick<ToolRequest, 'name' | 'shownFolder'>) => string;
}

const definition = (template: string): Part => ({ template, ending: 'yaml', what: 'the tool; comments say what each key is for' });
const tests = (template: string): Part => ({ template, ending: 'test.mjs', what: 'its tests' });

const functionTemplate = (extension: string): Template => ({
  description:
    'Counts the words of a text and says how long it takes to read. Use it for reading times; it neither judges nor changes the text.',
  parts: [
    definition('tool-function.yaml'),
    { template: `tool-function.${extension}`, ending: extension, what: 'its function' },
    tests('tool-function.test.mjs'),
  ],
  call: () => '--text "The quick brown fox jumps over the lazy dog."',
});

const templates: Readonly<Record<ToolKind | 'of-provider', Template>> = {
  'function-js': functionTemplate('mjs'),
  'function-ts': functionTemplate('ts'),
  'function-python': functionTemplate('py'),
  http: {
    description:
      'Gets the temperature and the wind of this moment at a place on Earth, given by its coordinates. Use it for the weather now; it makes no forecast and searches no names of places.',
    parts: [definition('tool-http.yaml'), tests('tool-http.test.mjs')],
    call: () => '--latitude 52.52 --longitude 13.41',
  },
  command: {
    description:
      'Checks whether a JavaScript file can be parsed, without running it, and names the line of the first mistake. It finds mistakes of syntax only.',
    parts: [
      definition('tool-command.yaml'),
      { template: 'tool-command.mjs', ending: 'mjs', what: 'how its output is read' },
      tests('tool-command.test.mjs'),
    ],
    call: ({ name, shownFolder }) => `--path ${shellWord(`${shownFolder}${name}.mjs`)}`,
  },
  'of-provider': {
    description: 'Gets one item by its id. Use it when the id is known; it does not search.',
    parts: [definition('tool-of-provider.yaml'), tests('tool-of-provider.test.mjs')],
    call: () => '--item_id 1042',
  },
};

const extensions: Readonly<Partial<Record<ToolKind, string>>> = { 'function-js': 'mjs', 'function-ts': 'ts', 'function-python': 'py' };

/** The description that a tool has when nobody gives one. */
export function defaultDescription(kind: ToolKind, hasProvider: boolean): string {
  return templateOf(kind, hasProvider).description;
}

/** A call of the new tool, behind `toolkit run <name>`. */
export function callOf(request: ToolRequest): string {
  return templateOf(request.kind, request.provider !== undefined).call(request);
}

/** The definition first, then what belongs to it, the tests last. */
export function toolFiles(request: ToolRequest): Promise<readonly ToolFile[]> {
  const { name, kind, description, folder, shownFolder, provider } = request;
  const extension = extensions[kind];
  const values = {
    name,
    title: sentenceCase(name),
    schema: schemaPlace(folder, 'tool'),
    description: foldedBlock(description, 2),
    examplePath: JSON.stringify(`${shownFolder}${name}.mjs`),
    // In a comment of one line.
    testFile: visibleText(shellWord(`${shownFolder}${name}.test.mjs`)),
    extension,
    errorCode: kind === 'function-python' ? 'EXECUTION_FAILED' : 'INVALID_PARAMETERS',
    provider: provider?.name,
    bearer: provider?.bearer,
  };
  return Promise.all(
    templateOf(kind, provider !== undefined).parts.map(async ({ template, ending, what }) => ({
      file: path.join(folder, `${name}.${ending}`),
      text: await fillTemplate(template, values),
      what,
    })),
  );
}

function templateOf(kind: ToolKind, hasProvider: boolean): Template {
  return templates[kind === 'http' && hasProvider ? 'of-provider' : kind];
}

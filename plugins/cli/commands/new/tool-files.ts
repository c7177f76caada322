import path from 'node:path';
import { sentenceCase } from 'change-case';
import { schemaPath } from '../../../shared/project/schema-path.ts';
import { shellWord } from '../../../shared/text/shell-word.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { fillTemplate, foldedBlock } from './fill-template.ts';
import type { ToolKind } from './tool-kinds.ts';
import type { NewFile } from './write-all.ts';

export interface ToolRequest {
  readonly name: string;
  readonly kind: ToolKind;
  /** One line. */
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  /** The same folder, relative to the root in which tools may read files. */
  readonly relativeFolder: string;
  /** Provider of an http tool; `bearer` is the name of its token, if it has one. */
  readonly provider?: { readonly name: string; readonly bearer?: string; readonly baseUrl: string };
}

/** A file of a tool with its purpose in a few words. */
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
  /** Returns the parameters of a working call, as words of a command line. */
  readonly call: (request: Pick<ToolRequest, 'name' | 'relativeFolder'>) => string;
}

const definition = (template: string): Part => ({ template, ending: 'yaml', what: 'the tool; comments say what each key is for' });
const cassetteEnding = 'cassette.json';

const cassette = (template: string): Part => ({
  template,
  ending: cassetteEnding,
  what: 'recorded answers, for its examples',
});
const tests = (template: string): Part => ({ template, ending: 'test.mjs', what: 'its tests' });

const functionTemplate = (extension: string): Template => ({
  description:
    'Counts the words of a text and says how long it takes to read. Use it for reading times; it neither judges nor changes the text.',
  parts: [
    definition('tool-function.yaml'),
    { template: `tool-function.${extension}`, ending: extension, what: 'its function' },
    cassette('tool-function.cassette.json'),
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
    parts: [definition('tool-http.yaml'), cassette('tool-http.cassette.json'), tests('tool-http.test.mjs')],
    call: () => '--latitude 52.52 --longitude 13.41',
  },
  command: {
    description:
      'Checks whether a JavaScript file can be parsed, without running it, and names the line of the first mistake. It finds mistakes of syntax only.',
    parts: [
      definition('tool-command.yaml'),
      { template: 'tool-command.mjs', ending: 'mjs', what: 'how its output is read' },
      cassette('tool-command.cassette.json'),
      tests('tool-command.test.mjs'),
    ],
    call: ({ name, relativeFolder }) => `--path ${shellWord(`${relativeFolder}${name}.mjs`)}`,
  },
  'of-provider': {
    description: 'Gets one item by its id. Use it when the id is known; it does not search.',
    parts: [definition('tool-of-provider.yaml'), cassette('tool-of-provider.cassette.json'), tests('tool-of-provider.test.mjs')],
    call: () => '--item_id 1042',
  },
};

const extensions: Readonly<Partial<Record<ToolKind, string>>> = { 'function-js': 'mjs', 'function-ts': 'ts', 'function-python': 'py' };

/** Returns the description of a tool when none is given. */
export function defaultDescription(kind: ToolKind, hasProvider: boolean): string {
  return templateOf(kind, hasProvider).description;
}

/** Returns the flags of a working call, for `toolkit run <name>`. */
export function callOf(request: ToolRequest): string {
  return templateOf(request.kind, request.provider !== undefined).call(request);
}

/** Returns the files of a tool: first the definition, last the tests. */
export function toolFiles(request: ToolRequest): Promise<readonly ToolFile[]> {
  const { name, kind, description, folder, relativeFolder, provider } = request;
  const extension = extensions[kind];
  const values = {
    name,
    title: sentenceCase(name),
    schema: schemaPath(folder, 'tool'),
    description: foldedBlock(description, 2),
    examplePath: JSON.stringify(`${relativeFolder}${name}.mjs`),
    // For a comment of one line.
    testFile: visibleText(shellWord(`${relativeFolder}${name}.test.mjs`)),
    extension,
    errorCode: kind === 'function-python' ? 'EXECUTION_FAILED' : 'INVALID_PARAMETERS',
    provider: provider?.name,
    baseUrl: provider?.baseUrl.replace(/\/+$/, ''),
    bearer: provider?.bearer,
  };
  return Promise.all(
    templateOf(kind, provider !== undefined)
      .parts.filter((part) => part.ending !== cassetteEnding || canReplay(request))
      .map(async ({ template, ending, what }) => ({
        file: path.join(folder, `${name}.${ending}`),
        text: await fillTemplate(template, values),
        what,
      })),
  );
}

/** True unless the file of the example is outside the test folder, or the URL depends on credentials. */
export function canReplay({ relativeFolder, provider }: ToolRequest): boolean {
  return !relativeFolder.startsWith('../') && provider?.baseUrl.includes('{') !== true;
}

function templateOf(kind: ToolKind, hasProvider: boolean): Template {
  return templates[kind === 'http' && hasProvider ? 'of-provider' : kind];
}

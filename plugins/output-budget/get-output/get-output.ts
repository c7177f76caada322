import path from 'node:path';
import { after, type DiscoverSink, type ErrorCode, type MaybePromise } from '../../../kernel/index.ts';
import { codeRoot } from '../../shared/project/layout.ts';
import { getOutputName } from '../notes.ts';
import type { FindOutput } from '../page-template.ts';
import { readPage } from '../pages.ts';
import type { StoredOutput } from '../stored-outputs.ts';
import { readLines } from './lines.ts';

interface Parameters {
  readonly id: string;
  readonly page?: number;
  readonly from_line?: number;
  readonly column?: number;
  readonly pattern?: string;
}

interface Context {
  readonly caller: string;
  readonly output: { readonly budget: number | undefined };
  error(code: ErrorCode, message: string): Error;
  inChild(code: string, data: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const part = (other: Readonly<Record<string, unknown>>) => ({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      at: { type: 'string', description: 'JSON pointer to its place in the output; empty for a text that is all of it' },
      ...other,
      text: { type: 'string' },
    },
    required: ['at', ...Object.keys(other), 'text'],
  },
});
const integer = (description: string) => ({ type: 'integer', minimum: 0, description });

const definition = {
  name: getOutputName,
  description:
    'Reads the output of an earlier call that was too long to be shown at once: a page, lines from one on, or the lines that match a pattern. Page 1 is what was shown, page 2 goes on where it ended. Kept for some minutes, for the same caller.',
  parameters: {
    id: {
      type: 'string',
      required: true,
      maxLength: 100,
      description: 'The id that the note in front of the output names.',
      example: '6f1e9b52-0000-4000-8000-000000000000',
    },
    page: { type: 'integer', minimum: 1, description: 'A page, from 1. By default the first.' },
    from_line: { type: 'integer', minimum: 1, description: 'The first line, counted from 1. With pattern, where the search begins.' },
    column: {
      type: 'integer',
      minimum: 1,
      description: 'Where in that line to begin: next_column of the answer before. Only with from_line.',
    },
    pattern: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: 'Gives only the lines that match: a JavaScript regular expression.',
      example: 'error|warn',
    },
  },
  output_schema: {
    type: 'object',
    properties: {
      tool: { type: 'string', description: 'The tool that gave the output' },
      truncated: { type: 'boolean', description: 'More follows' },
      page: integer('This page'),
      pages: integer('How many there are'),
      next_page: integer('Absent on the last page'),
      next_line: integer('from_line of the next call; absent at the end'),
      next_column: integer('column of the next call; absent where a line begins'),
      parts: part({
        from: integer('On a page: characters of its text, or items of its list, before it. Else the number of its first line'),
      }),
      matches: part({ line: integer('Its number'), column: integer('Where the text begins in the line, from 1') }),
    },
    required: ['tool', 'truncated'],
  },
  continues: [
    { by: 'offset', when: 'truncated', parameter: 'page', from: 'next_page' },
    { by: 'offset', when: 'truncated', parameter: 'from_line', from: 'next_line', with: { column: 'next_column' } },
  ],
  risk: 'low',
  annotations: { readOnlyHint: true, openWorldHint: false },
  tags: ['output', 'page', 'more', 'rest'],
} as const;

/** Adds the tool that reads stored outputs. */
export function addGetOutput(sink: DiscoverSink, find: FindOutput): void {
  const handler = (parameters: Parameters, context: Context): MaybePromise<unknown> =>
    after(find(parameters.id, context.caller), (stored) => {
      if (stored === undefined)
        throw context.error(
          'NOT_FOUND',
          `No output is kept for you under ${JSON.stringify(parameters.id)}: expected the id of a note, of the last minutes. Call the tool again, and ask it for less.`,
        );
      return read(stored, parameters, context);
    });
  const directory = path.join(codeRoot(), 'plugins/output-budget/get-output');
  sink.addTool(
    { ...definition, execution: { type: 'function', handler, timeout_ms: 20_000 } },
    { trust: 'package', isBuiltIn: true, isCompanion: true, directory },
  );
}

function read(stored: StoredOutput, { page, from_line: line, column = 1, pattern }: Parameters, context: Context): MaybePromise<unknown> {
  const { tool, sections, pages } = stored;
  if (pattern !== undefined) {
    const found = context.inChild('./search-lines.ts#searchLines', { sections, pattern, from_line: line ?? 1 });
    return found.then((matches) => ({ tool, truncated: Object.hasOwn(matches as object, 'next_line'), ...(matches as object) }));
  }
  if (line !== undefined) {
    const { parts, ...next } = readLines(sections, { line, column }, (context.output.budget ?? Number.POSITIVE_INFINITY) - 300);
    return { tool, truncated: next.next_line !== undefined, ...next, parts: parts.map(({ at, line: from, text }) => ({ at, from, text })) };
  }
  const number = page ?? 1;
  const parts = readPage(stored, number);
  if (parts === undefined)
    throw context.error(
      'INVALID_PARAMETERS',
      `"page" is wrong: expected 1 to ${pages.length}, the pages of this output, received ${number}.`,
    );
  const isLast = number === pages.length;
  return { tool, truncated: !isLast, page: number, pages: pages.length, ...(isLast ? {} : { next_page: number + 1 }), parts };
}

import type MiniSearch from 'minisearch';
import type { Tool } from '../../../kernel/index.ts';

export type ToolIndex = Pick<MiniSearch, 'search'>;

interface Kept {
  readonly tools: readonly Tool[];
  readonly index: Promise<ToolIndex>;
}

/** Words that nearly every description has: they tell nothing, and finding them everywhere takes time. */
const silentWords: ReadonlySet<string> = new Set([
  ...[
    'a',
    'an',
    'and',
    'are',
    'as',
    'at',
    'be',
    'by',
    'can',
    'do',
    'for',
    'from',
    'has',
    'have',
    'how',
    'i',
    'if',
    'in',
    'into',
    'is',
    'it',
  ],
  ...['its', 'not', 'of', 'on', 'one', 'only', 'or', 'that', 'the', 'this', 'to', 'use', 'what', 'when', 'where', 'which', 'with', 'you'],
]);

/** Tools that are indexed before others get their turn. */
const chunkSize = 200;

/** Callers with different rights see different lists; this many are kept for each registry. */
const maxKept = 4;

/** By the first tool of the list. A reload makes new tools, and the old indices go with the old ones. */
const kept = new WeakMap<Tool, readonly Kept[]>();

/**
 * An index over these tools, whose ids are places in the list. Built on the first search (about 0.1 ms a tool) and used again for the same
 * list.
 */
export async function indexOf(tools: readonly Tool[]): Promise<ToolIndex> {
  const { default: Index } = await import('minisearch');
  const [first] = tools;
  if (first === undefined) return new Index({ fields: [] });
  const known = kept.get(first) ?? [];
  const found = known.find((entry) => isSame(entry.tools, tools));
  const entry = found ?? { tools, index: build(Index, tools) };
  kept.set(first, [entry, ...known.filter((other) => other !== entry)].slice(0, maxKept));
  return entry.index;
}

function isSame(left: readonly Tool[], right: readonly Tool[]): boolean {
  return left.length === right.length && left.every((tool, place) => tool === right[place]);
}

async function build(Index: typeof MiniSearch, tools: readonly Tool[]): Promise<ToolIndex> {
  const index = new Index({
    fields: ['name', 'tags', 'description', 'parameters'],
    processTerm: (term) => (silentWords.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: {
      boost: { name: 4, tags: 2, parameters: 0.5 },
      // Short words are part of too many others.
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  const documents = tools.map((tool, id) => ({ id, ...wordsOf(tool) }));
  await index.addAllAsync(documents, { chunkSize });
  return index;
}

function wordsOf({ name, description, definition, parameters }: Tool): Readonly<Record<string, string>> {
  const described = Object.entries(parameters).map(([parameter, written]) => `${parameter} ${written.description ?? ''}`);
  return {
    name: `${name} ${name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')}`,
    tags: (definition.tags ?? []).join(' '),
    description,
    parameters: described.join(' '),
  };
}

import { setImmediate } from 'node:timers/promises';
import type MiniSearch from 'minisearch';
import type { Tool } from '../../../kernel/index.ts';

/** A tool by its place in the list. */
export interface FoundTool {
  readonly id: number;
  readonly score: number;
}

export interface ToolIndex {
  /** The best first. Others get their turn between two words, of which one alone may stand in all tools. */
  search(query: string): Promise<readonly FoundTool[]>;
}

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

/** Characters that are indexed before others get their turn: about 5 ms. */
const sliceCharacters = 20_000;

/** Of the description of one tool, and of those of its parameters. */
const maxCharacters = 20_000;

/** Words of a query that are looked for; further ones are left out. */
const maxWords = 16;

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
  if (first === undefined) return { search: async () => [] };
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
  let characters = 0;
  for (const [id, tool] of tools.entries()) {
    const words = wordsOf(tool);
    index.add({ id, ...words });
    characters += Object.values(words).join('').length;
    if (characters < sliceCharacters) continue;
    characters = 0;
    await setImmediate();
  }
  const split = Index.getDefault('tokenize') as (text: string) => string[];
  return { search: (query) => search(index, [...new Set(split(query.toLowerCase()))].slice(0, maxWords)) };
}

/** As MiniSearch finds any of several words at once: the scores of a tool are added up, and count as often as words were found in it. */
async function search(index: MiniSearch, words: readonly string[]): Promise<readonly FoundTool[]> {
  const found = new Map<number, { score: number; words: number }>();
  for (const word of words) {
    for (const { id, score } of index.search(word)) {
      const before = found.get(id as number) ?? { score: 0, words: 0 };
      found.set(id as number, { score: before.score + score, words: before.words + 1 });
    }
    await setImmediate();
  }
  return [...found].map(([id, { score, words: count }]) => ({ id, score: score * count })).sort((a, b) => b.score - a.score);
}

function wordsOf({ name, description, definition, parameters }: Tool): Readonly<Record<string, string>> {
  const described = Object.entries(parameters).map(([parameter, written]) => `${parameter} ${written.description ?? ''}`);
  return {
    name: `${name} ${name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')}`,
    tags: (definition.tags ?? []).join(' '),
    description: description.slice(0, maxCharacters),
    parameters: described.join(' ').slice(0, maxCharacters),
  };
}

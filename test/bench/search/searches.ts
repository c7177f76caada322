import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import type { Tool } from '../../../kernel/index.ts';
import { rankedTools } from '../../../plugins/shared/search/ranked-tools.ts';
import { descriptionTerms, readWords } from '../../../plugins/shared/search/terms.ts';

/** Names of the five tools that fit best, the best first. */
export type Search = (query: string) => Promise<readonly string[]>;

const most = 5;

/** The search of the service, and what it is compared with: a library as it comes, and with its words split and stemmed. */
export const searches: Readonly<Record<string, (tools: readonly Tool[]) => Search>> = {
  'this search': (tools) => async (query) => (await rankedTools(tools, { query, limit: most })).map(({ tool }) => tool.name),
  'MiniSearch as it comes': (tools) => library(tools, {}),
  'MiniSearch, split and stemmed': (tools) =>
    library(tools, { tokenize: (text) => [...descriptionTerms(readWords(text, stemmer))], processTerm: (term) => term }),
};

type LibraryOptions = Partial<Pick<ConstructorParameters<typeof MiniSearch>[0], 'tokenize' | 'processTerm'>>;

function library(tools: readonly Tool[], options: LibraryOptions): Search {
  const index = new MiniSearch({ fields: ['name', 'description', 'intents'], ...options });
  index.addAll(
    tools.map(({ name, description, definition }, id) => ({ id, name, description, intents: (definition.intents ?? []).join(' ') })),
  );
  return async (query) => index.search(query).flatMap(({ id }) => tools[id as number]?.name ?? []);
}

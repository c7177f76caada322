import { type Tool, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { signatureOf } from '../../../plugins/shared/exposure/signature.ts';
import { type RankedTool, rankedTools, type Wanted } from '../../../plugins/shared/search/ranked-tools.ts';
import { firstSentence } from '../../../plugins/shared/text/first-sentence.ts';

interface SearchParameters extends Omit<Wanted, 'query' | 'risk'> {
  readonly query?: string;
  readonly queries?: readonly string[];
}

interface Hit {
  readonly name: string;
  readonly description: string;
  readonly signature: string;
  readonly risk: string;
  readonly read_only: boolean;
  readonly asks_person: boolean;
  /** Names of secrets that the server lacks; absent where it lacks none. */
  readonly needs?: readonly string[];
  readonly score: number;
}

type SearchResult =
  | { readonly tools: readonly Hit[] }
  | { readonly results: readonly { readonly query: string; readonly tools: readonly Hit[] }[] };

/** The tools that fit best, among those that the caller may see. Throws INVALID_PARAMETERS unless there is one of query and queries. */
export async function searchTools({ query, queries, ...choice }: SearchParameters, { tools }: FunctionContext): Promise<SearchResult> {
  const all = tools.list();
  const find = async (wanted: string): Promise<readonly Hit[]> => {
    const found = await rankedTools(all, { ...choice, query: wanted });
    const missing = await tools.missingSecrets(found.map(({ tool: { name } }) => name));
    return found.map((ranked) => hitOf(ranked, missing.get(ranked.tool.name)));
  };
  if (query !== undefined && queries === undefined) return { tools: await find(query) };
  if (queries === undefined || query !== undefined) throw oneOfThem(query);
  const results: { query: string; tools: readonly Hit[] }[] = [];
  for (const wanted of queries) results.push({ query: wanted, tools: await find(wanted) });
  return { results };
}

function hitOf({ tool, score }: RankedTool, needs: readonly string[] | undefined): Hit {
  const { name, description, risk, annotations } = tool;
  return {
    name,
    description: firstSentence(description),
    signature: signatureOf(tool),
    risk,
    read_only: annotations.readOnlyHint === true,
    asks_person: isGated(tool),
    ...(needs === undefined ? {} : { needs }),
    score,
  };
}

function isGated({ definition: { requires_approval: gate } }: Tool): boolean {
  return gate !== undefined && gate !== false;
}

function oneOfThem(query: string | undefined): ToolkitError {
  const what = query === undefined ? 'query is required' : 'query and queries are given';
  return new ToolkitError('INVALID_PARAMETERS', `${what}: expected one task in "query", or several in "queries".`, {
    issues: [{ path: 'query', message: query === undefined ? 'is required, or queries' : 'expected one of query and queries' }],
  });
}

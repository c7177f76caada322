import { type Tool, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { boundedSignature, signatureOf } from '../../../plugins/shared/exposure/signature.ts';
import { unknownProvider } from '../../../plugins/shared/exposure/tool-choice.ts';
import { toolText } from '../../../plugins/shared/exposure/written-out/listed-input.ts';
import { foundTools, type RankedTool, type ToolQuery } from '../../../plugins/shared/search/ranked-tools.ts';
import { firstSentence } from '../../../plugins/shared/text/first-sentence.ts';

interface SearchParameters extends Omit<ToolQuery, 'query' | 'risk'> {
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
  /** Names of secrets that the server lacks. Absent when it has all. */
  readonly needs?: readonly string[];
  readonly score: number;
}

interface SearchHits {
  readonly tools: readonly Hit[];
  /** Absent when the first hits match well. */
  readonly note?: string;
}

type SearchResult = SearchHits | { readonly results: readonly (SearchHits & { readonly query: string })[] };

const notes = {
  nearest:
    'Nothing fits well; these are the nearest. Look at their signatures before you call one, and say so when there is no tool for the task.',
  none: 'Nothing fits. Ask with other words, or look through toolkit_list_tools.',
} as const;

/** Returns the best matching tools that are visible to the caller. Throws INVALID_PARAMETERS unless exactly one of query and queries is given. */
export async function searchTools({ query, queries, ...choice }: SearchParameters, { tools }: FunctionContext): Promise<SearchResult> {
  const all = tools.list();
  const find = async (wanted: string): Promise<SearchHits> => {
    const { tools: found, fitsWell } = await foundTools(all, { ...choice, query: wanted });
    const missing = await tools.missingSecrets(found.map(({ tool: { name } }) => name));
    const note = unknownProvider(all, choice) ?? (found.length === 0 ? notes.none : fitsWell ? undefined : notes.nearest);
    return { tools: found.map((ranked) => hitOf(ranked, missing.get(ranked.tool.name))), ...(note === undefined ? {} : { note }) };
  };
  if (query !== undefined && queries === undefined) return find(query);
  if (queries === undefined || query !== undefined) throw oneOfThem(query);
  const results: (SearchHits & { query: string })[] = [];
  for (const wanted of queries) results.push({ query: wanted, ...(await find(wanted)) });
  return { results };
}

/** Maximum UTF-16 units of the words of a source in a hit. */
const maxForeign = 160;

function hitOf({ tool, score }: RankedTool, needs: readonly string[] | undefined): Hit {
  const { name, description, risk, annotations, origin } = tool;
  const isForeign = origin.source !== undefined;
  return {
    name,
    description: isForeign ? toolText(tool, maxForeign) : firstSentence(description),
    signature: isForeign ? boundedSignature(tool) : signatureOf(tool),
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

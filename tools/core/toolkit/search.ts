import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { providerOf } from './provider-of.ts';
import { indexOf } from './tool-index.ts';

interface SearchParameters {
  readonly query: string;
  readonly limit: number;
  readonly provider?: string;
}

interface SearchResult {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly score: number }[];
}

/** The tools that fit best, among those that the caller may see. */
export async function searchTools({ query, limit, provider }: SearchParameters, { tools }: FunctionContext): Promise<SearchResult> {
  const visible = tools.list();
  const found = (await indexOf(visible)).search(query).flatMap(({ id, score }) => {
    const tool = visible[id as number];
    return tool === undefined || (provider !== undefined && providerOf(tool) !== provider) ? [] : [{ tool, score }];
  });
  return {
    tools: found.slice(0, limit).map(({ tool: { name, description }, score }) => ({ name, description, score: rounded(score) })),
  };
}

/** Four significant digits are enough to compare. */
function rounded(score: number): number {
  return Number(score.toPrecision(4));
}

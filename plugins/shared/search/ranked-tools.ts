import type { Tool } from '../../../kernel/index.ts';
import { isChosen, type ToolChoice } from '../exposure/tool-choice.ts';
import { indexOf } from './tool-index.ts';

/** Minimum number of hits to judge how well they fit, even when fewer are requested. */
const minJudgedHits = 3;

export interface RankedTool {
  readonly tool: Tool;
  /** Score, comparable within one answer only. Four significant digits. */
  readonly score: number;
}

export interface ToolQuery extends ToolChoice {
  readonly query: string;
  readonly limit: number;
}

/** Results of a search. */
export interface FoundTools {
  readonly tools: readonly RankedTool[];
  /** False when the tools are only the nearest: they cover too few of the query's nouns. */
  readonly fitsWell: boolean;
}

/** Returns the tools that match a query, best first; tools that the query names come before all others. Empty when none matches. */
export async function rankedTools(tools: readonly Tool[], wanted: ToolQuery): Promise<readonly RankedTool[]> {
  return (await foundTools(tools, wanted)).tools;
}

/** Does the same, and also judges the results. */
export async function foundTools(tools: readonly Tool[], { query, limit, ...choice }: ToolQuery): Promise<FoundTools> {
  const index = await indexOf(tools);
  const filter = (id: number): boolean => isChosen(tools[id] as Tool, choice);
  const found = await index.search({ query, limit: Math.max(limit, minJudgedHits), filter });
  const ranked = found.slice(0, limit).map(({ id, score }) => ({ tool: tools[id] as Tool, score: Number(score.toPrecision(4)) }));
  return { tools: ranked, fitsWell: index.fits(query, found) };
}

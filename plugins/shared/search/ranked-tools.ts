import type { Tool } from '../../../kernel/index.ts';
import { isChosen, type ToolChoice } from '../exposure/tool-choice.ts';
import { indexOf } from './tool-index.ts';

/** Hits by which it is judged how well they fit, also where fewer are wanted. */
const judged = 3;

export interface RankedTool {
  readonly tool: Tool;
  /** Comparable within one answer only. Four significant digits. */
  readonly score: number;
}

export interface Wanted extends ToolChoice {
  readonly query: string;
  readonly limit: number;
}

/** The results of a search. */
export interface FoundTools {
  readonly tools: readonly RankedTool[];
  /** False where the tools are only the nearest ones: they cover too few of the nouns that the question has. */
  readonly fitsWell: boolean;
}

/** The tools that fit the words best, the best first, those that the words name before all others; none where nothing fits. */
export async function rankedTools(tools: readonly Tool[], wanted: Wanted): Promise<readonly RankedTool[]> {
  return (await foundTools(tools, wanted)).tools;
}

/** The same, with what is to be thought of them. */
export async function foundTools(tools: readonly Tool[], { query, limit, ...choice }: Wanted): Promise<FoundTools> {
  const index = await indexOf(tools);
  const isWanted = (id: number): boolean => isChosen(tools[id] as Tool, choice);
  const found = await index.search({ query, limit: Math.max(limit, judged), isWanted });
  const ranked = found.slice(0, limit).map(({ id, score }) => ({ tool: tools[id] as Tool, score: Number(score.toPrecision(4)) }));
  return { tools: ranked, fitsWell: index.fits(query, found) };
}

import type { Tool } from '../../../kernel/index.ts';
import { isChosen, type ToolChoice } from '../exposure/tool-choice.ts';
import { indexOf } from './tool-index.ts';

export interface RankedTool {
  readonly tool: Tool;
  /** Comparable within one answer only. Four significant digits. */
  readonly score: number;
}

export interface Wanted extends ToolChoice {
  readonly query: string;
  readonly limit: number;
}

/** The tools that fit the words best, the best first, those that the words name before all others; none where nothing fits. */
export async function rankedTools(tools: readonly Tool[], { query, limit, ...choice }: Wanted): Promise<readonly RankedTool[]> {
  const index = await indexOf(tools);
  const isWanted = (id: number): boolean => isChosen(tools[id] as Tool, choice);
  const found = await index.search({ query, limit, isWanted });
  return found.map(({ id, score }) => ({ tool: tools[id] as Tool, score: Number(score.toPrecision(4)) }));
}

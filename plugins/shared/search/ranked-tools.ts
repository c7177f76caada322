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

/** The tools that fit the words best, the best first; none where nothing fits. */
export async function rankedTools(tools: readonly Tool[], { query, limit, ...choice }: Wanted): Promise<readonly RankedTool[]> {
  const index = await indexOf(tools);
  const found = (await index.search(query)).flatMap(({ id, score }) => {
    const tool = tools[id];
    return tool !== undefined && isChosen(tool, choice) ? [{ tool, score: Number(score.toPrecision(4)) }] : [];
  });
  return found.slice(0, limit);
}

import type { Tool } from '../../../kernel/index.ts';

/** Members of a foreign tool that a search reads. */
export interface AskedTool {
  readonly name: string;
  readonly description: string;
  readonly intents?: readonly string[];
}

/** Enough of a tool for a search: names that no definition may have are taken as well. */
export function toolOf({ name, description, intents = [] }: AskedTool): Tool {
  return { name, description, definition: { intents }, parameters: {} } as unknown as Tool;
}

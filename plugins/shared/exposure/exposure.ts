import type { MaybeTool } from '../../../kernel/index.ts';
import { type KnownClient, knownClient } from './known-clients.ts';
import { traitsOf } from './tool-traits.ts';

/** Tools listed to a client: all that it may call, or only those that find and call the others. */
export type Exposure = 'all' | 'search';

export const exposureChoices = ['all', 'search', 'auto'] as const;

/** `auto` decides by the client and the size of the list. */
export type ExposureChoice = (typeof exposureChoices)[number];

/** Maximum tokens of a list. A longer list is not worth its space in a model's context. */
const maxTokens = 10_000;

/** Size of the list of all tools. */
export interface ListSize {
  readonly tools: number;
  /** Estimated tokens of names, descriptions and input schemas. */
  readonly tokens: number;
}

/** Decides the exposure. Calls `size` only when needed. */
export function exposureFor(choice: ExposureChoice, client: string | undefined, size: () => ListSize): Exposure {
  if (choice !== 'auto') return choice;
  const { searchesTools, maxTools = Number.POSITIVE_INFINITY }: Partial<KnownClient> = knownClient(client) ?? {};
  if (searchesTools === true) return 'all';
  const { tools, tokens } = size();
  return tools > maxTools || tokens > maxTokens ? 'search' : 'all';
}

/**
 * True for a built-in tool that finds or calls other tools. An operator's list of allowed tools need not name it, because it opens no tool
 * outside that list. Always false for tools of packages.
 */
export function isSearchTool(tool: MaybeTool): boolean {
  const { origin } = tool;
  return traitsOf(tool).listed !== null && origin?.isBuiltIn === true;
}

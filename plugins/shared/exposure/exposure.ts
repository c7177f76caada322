import type { MaybeTool } from '../../../kernel/index.ts';
import { type KnownClient, knownClient } from './known-clients.ts';
import { traitsOf } from './tool-traits.ts';

/** What a client is listed: every tool that it may call, or those with which it finds and calls the others. */
export type Exposure = 'all' | 'search';

export const exposureChoices = ['all', 'search', 'auto'] as const;

/** `auto` looks at the client and at the size of the list. */
export type ExposureChoice = (typeof exposureChoices)[number];

/** In tokens. A list that is longer is not worth its place in the context of a model. */
const mostTokens = 10_000;

/** The list of all tools. */
export interface ListSize {
  readonly tools: number;
  /** Estimated: names, descriptions and input schemas. */
  readonly tokens: number;
}

/** `size` is asked for only where it decides. */
export function exposureFor(choice: ExposureChoice, client: string | undefined, size: () => ListSize): Exposure {
  if (choice !== 'auto') return choice;
  const { searchesTools, maxTools = Number.POSITIVE_INFINITY }: Partial<KnownClient> = knownClient(client) ?? {};
  if (searchesTools === true) return 'all';
  const { tools, tokens } = size();
  return tools > maxTools || tokens > mostTokens ? 'search' : 'all';
}

/**
 * True for a tool of this program that finds or calls others. A list of tools that an operator allows does not name it: it opens nothing that
 * is not on that list. Tools of packages are never it, whatever they say.
 */
export function isFinder(tool: MaybeTool): boolean {
  const { origin } = tool;
  return traitsOf(tool).listed !== null && origin?.isBuiltIn === true;
}

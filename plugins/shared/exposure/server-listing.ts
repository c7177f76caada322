import { defineFact } from '../../../kernel/index.ts';
import type { ToolAccessOptions } from './tool-access.ts';

/** The tools that a server offers, and how it lists them. */
export interface ServerListing extends ToolAccessOptions {
  /** True when tools without their secrets are not listed. @default false */
  readonly onlyAvailable?: boolean;
}

/** Stated by each plugin that serves tools to clients. */
export const serverListing = defineFact<ServerListing>('listing of a server');

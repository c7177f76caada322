import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { Offer } from './offer.ts';
import type { Router } from './router.ts';

export interface ProtocolOptions {
  readonly offer: Offer;
  readonly version: string;
  readonly pageSize: number;
}

/** One connection, as its handlers see it. */
export interface Connection extends ProtocolOptions {
  readonly server: Server;
  readonly router: Router;
  readonly caller: string;
  /** The least severe log line that the client wants. */
  logLevel(): LoggingLevel;
}

import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { Exposure, ExposureChoice } from '../../shared/exposure/exposure.ts';
import type { Catalog } from './catalog.ts';
import type { Router } from './router.ts';
import type { Shares } from './shares.ts';

/** What all connections of a server have in common. */
export interface ProtocolOptions {
  readonly catalog: Catalog;
  readonly expose: ExposureChoice;
  /** Of this program; clients are told it in `initialize`. */
  readonly version: string;
  /** Entries on one page of a list. */
  readonly pageSize: number;
  readonly shares: Shares;
}

/** Who is at the other end of a connection. */
export interface Peer {
  /** Name of the caller in policy and audit trail. */
  readonly caller: string;
  /** Whose share its calls use: see `CallRequest.tenant`. */
  readonly tenant: string;
}

/** One client's connection, as the handlers of its requests see it. */
export interface Connection extends ProtocolOptions, Peer {
  readonly server: Server;
  readonly router: Router;
  /** The least severe log line that the client wants. */
  logLevel(): LoggingLevel;
  /** What the client is listed. It is known once it has said its name. */
  exposure(): Exposure;
}

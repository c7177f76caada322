import type { ClientCapabilities, LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { Exposure, ExposureChoice } from '../../shared/exposure/exposure.ts';
import type { HostKeys } from '../../shared/keys/host-keys.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Catalog } from './catalog.ts';
import type { RequestStates } from './modern/request-states.ts';
import type { Tasks } from './modern/tasks/tasks.ts';
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
  /** What is signed for clients, who bring it back, is signed with these. */
  readonly keys: HostKeys;
  /** What clients of 2026-07-28 bring back with their answers. */
  readonly states: RequestStates;
  /** Calls whose results are taken later. */
  readonly tasks: Tasks;
  /** The other processes that serve the same clients. @default none */
  readonly cluster?: Cluster | undefined;
  /** Every message goes through the protocol library, to compare it with what is answered here. @default where the environment has TOOLKIT_MCP_SDK_ONLY=1 */
  readonly usesSdkOnly?: boolean;
}

/** Who is at the other end of a connection. */
export interface Peer {
  /** Name of the caller in policy and audit trail. */
  readonly caller: string;
  /** Whose share its calls use: see `CallRequest.tenant`. */
  readonly tenant: string;
}

/** What a client said of itself in `initialize`. */
export interface ClientState {
  readonly name?: string;
  readonly capabilities: ClientCapabilities;
}

/** One client, as what answers it sees it. */
export interface Connection extends Pick<ProtocolOptions, 'catalog' | 'version' | 'pageSize' | 'shares' | 'tasks'>, Peer {
  /** `legacy`: it has opened a session with `initialize` (up to 2025-11-25). `modern`: each request says who asks (since 2026-07-28). */
  readonly era: 'legacy' | 'modern';
  /** What the client is listed. It is known once it has said its name. */
  readonly exposure: Exposure;
  /** What it is listed depends on what it says of itself. */
  readonly hasOwnLists: boolean;
  readonly client: ClientState;
  /** The least severe log line that the client wants; undefined where it wants none. */
  logLevel: LoggingLevel | undefined;
}

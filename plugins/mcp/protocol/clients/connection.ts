import type { Exposure, ExposureChoice } from '../../../shared/exposure/exposure.ts';
import type { HostKeys } from '../../../shared/keys/host-keys.ts';
import type { ClientCapabilities, LogLevel } from '../../../shared/mcp-sdk/types.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { RequestStates } from '../asking/request-states.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Revision } from '../revisions.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Shares } from './shares.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Options that all connections of a server share. */
export interface ProtocolOptions {
  readonly catalog: Catalog;
  readonly expose: ExposureChoice;
  /** Version of this program, sent in the response to `initialize`. */
  readonly version: string;
  /** Entries on one page of a list. */
  readonly pageSize: number;
  readonly shares: Shares;
  /** Keys that sign the data which clients send back. */
  readonly keys: HostKeys;
  /** Request states of 2026-07-28, which clients send back with their answers. */
  readonly states: RequestStates;
  /** Tasks: calls whose client fetches the result later. */
  readonly tasks: Tasks;
  /** Other processes that serve the same clients. @default none */
  readonly cluster?: Cluster | undefined;
}

/** Identity of the client of a connection. */
export interface ClientIdentity {
  /** Name of the caller in policy and audit trail. */
  readonly caller: string;
  /** Tenant whose limits its calls count against: see `CallRequest.tenant`. */
  readonly tenant: string;
}

/** The client's description of itself. */
export interface ClientState {
  readonly name?: string;
  readonly capabilities: ClientCapabilities;
}

/** Connection of one client, as handlers see it. */
export interface Connection extends Pick<ProtocolOptions, 'catalog' | 'version' | 'pageSize' | 'shares' | 'tasks'>, ClientIdentity {
  readonly revision: Revision;
  /** Selects the tools in the client's list. Known once the client has sent its name. */
  readonly exposure: Exposure;
  /** True when the lists depend on the client's description of itself. */
  readonly hasOwnLists: boolean;
  readonly client: ClientState;
  /** Least severe log level that the client asked for; undefined when it wants no log. */
  logLevel: LogLevel | undefined;
  /** Resource subscriptions of the session. Absent without a session. */
  readonly subscriptions?: Subscriptions;
}

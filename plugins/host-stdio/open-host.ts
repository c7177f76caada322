import type { Writable } from 'node:stream';
import type { OnApproval } from '../shared/model-tools/model-options.ts';
import type { ClientFunctions } from './client/client-functions.ts';
import type { FromClient, HostedToolkit, HostParts } from './host-parts.ts';
import type { RunningServers } from './running-servers.ts';

/** What methods work with once the client has said what it wants. */
export interface OpenHost {
  readonly parts: HostParts;
  readonly toolkit: HostedToolkit;
  /** The options of `initialize`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly client: FromClient;
  readonly functions: ClientFunctions;
  readonly servers: RunningServers;
  /** Asks a person about calls of a model, where the client can and the gate does not do so itself. */
  readonly approve: OnApproval | undefined;
  /** For a server over stdio; undefined where the client itself is there. */
  readonly standardOutput: Writable | undefined;
  /** Ends the host once the answer has left. */
  readonly end: (drainMs: number) => Promise<void>;
}

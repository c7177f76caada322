import type { Writable } from 'node:stream';
import type { OnApproval } from '../shared/model-tools/model-options.ts';
import type { ClientFunctions } from './client/client-functions.ts';
import type { ClientParts, HostedToolkit, HostParts } from './host-parts.ts';
import type { RunningServers } from './running-servers.ts';

/** The state that methods work with after `initialize`. */
export interface OpenHost {
  readonly parts: HostParts;
  readonly toolkit: HostedToolkit;
  /** The options of `initialize`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly client: ClientParts;
  readonly functions: ClientFunctions;
  readonly servers: RunningServers;
  /** Asks a person about a model's calls. Undefined where the client cannot ask, or where the approval gate asks itself. */
  readonly approve: OnApproval | undefined;
  /** Standard output, for a server over stdio. Undefined where the client itself uses it. */
  readonly standardOutput: Writable | undefined;
  /** Ends the host after the response has been sent. */
  readonly end: (drainMs: number) => Promise<void>;
}

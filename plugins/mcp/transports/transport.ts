import type { Writable } from 'node:stream';
import type { Static, TObject, TProperties } from 'typebox';
import type { JsonObject, PluginApi, RunningServer } from '../../../kernel/index.ts';
import type { ProtocolOptions } from '../protocol/connection.ts';

/** One way in which clients reach the server. Its `index.ts` is imported at every start of the program, the rest of its folder by `start`. */
export interface Transport<Options extends TProperties = TProperties> {
  /** Its own options of the plugin. All transports share one flat list, so a name that two of them have must mean the same in both. */
  readonly options: Options;
  /** Messages go over standard output, so nothing else may be written there. */
  readonly ownsStdout: boolean;
  /** Begins to serve. Throws CONFIG_INVALID for options that cannot be served. */
  start(settings: TransportSettings<Static<TObject<Options>>>): Promise<StartedTransport>;
}

export interface TransportSettings<Options> {
  readonly api: PluginApi;
  readonly options: Options;
  readonly protocol: ProtocolOptions;
  /** Standard output, where the host has reserved it. */
  readonly output: Writable | undefined;
}

/** A transport that serves. Its `drainMs` counts where the options of the plugin have none. */
export interface StartedTransport extends Omit<RunningServer, 'name'> {
  /** How much of what it limits is in use, for operators. @default nothing */
  status?(): JsonObject;
  /** Reads its own files again, such as a certificate. Does not throw: what is broken is logged, and what was read before stays. @default nothing */
  reload?(): Promise<void>;
  /**
   * Resolves when every request that was taken has its answer or, where its client waits no longer, never gets one; at the latest after so many
   * milliseconds. Running calls have ended before.
   */
  answered(limitMs: number): Promise<void>;
  stop(): Promise<void>;
}

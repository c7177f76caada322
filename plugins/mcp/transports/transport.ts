import type { Writable } from 'node:stream';
import type { Static, TObject, TProperties } from 'typebox';
import type { JsonObject, PluginApi, RunningServer } from '../../../kernel/index.ts';
import type { ProtocolOptions } from '../protocol/clients/connection.ts';

/** A transport between clients and the server. Every start of the program imports its `index.ts`; `start` imports the rest of its folder. */
export interface Transport<Options extends TProperties = TProperties> {
  /** Options of this transport. All transports share one flat list, so an option of two transports must mean the same in both. */
  readonly options: Options;
  /** True when messages go over standard output, so that nothing else may be written there. */
  readonly ownsStdout: boolean;
  /**
   * Adds what its options need: taps, protected files, credentials of callers. Called once for every transport, also for those that do not
   * serve. Throws CONFIG_INVALID for options that contradict each other. @default nothing
   */
  prepare?(api: PluginApi, options: PreparedOptions<Static<TObject<Options>>>): void;
  /** Warns of options that name something that no tool has. Called before a server starts. @default nothing */
  warn?(api: PluginApi, options: Static<TObject<Options>>): void;
  /** Starts to serve. Throws CONFIG_INVALID for options that cannot be served. */
  start(settings: TransportSettings<Static<TObject<Options>>>): Promise<StartedTransport>;
}

/** Options of a transport, with those of the plugin that may contradict them. */
export type PreparedOptions<Options> = Options & { readonly onlyAvailable?: boolean };

export interface TransportSettings<Options> {
  readonly api: PluginApi;
  readonly options: Options;
  readonly protocol: ProtocolOptions;
  /** Standard output, where the host has reserved it. */
  readonly output: Writable | undefined;
}

/** A running transport. Its `drainMs` is used where the plugin's options have none. */
export interface StartedTransport extends Omit<RunningServer, 'name'> {
  /** Returns the use of its limits, for operators. @default nothing */
  status?(): JsonObject;
  /** Reads its files again, such as a certificate. Never throws: an invalid file is logged and changes nothing. @default nothing */
  reload?(): Promise<void>;
  /**
   * Resolves when every request has its response, or never gets one because its client is gone; after `limitMs` at the latest. Running calls
   * have ended before.
   */
  answered(limitMs: number): Promise<void>;
  stop(): Promise<void>;
}

import type { Writable } from 'node:stream';
import type { Kernel, Logger, Plugin } from '../../kernel/index.ts';
import type { HumanRequest } from '../shared/approval/human-request.ts';

type JsonOptions = Readonly<Record<string, unknown>>;

/** What a toolkit gets of the client, in place of functions that JSON cannot say. */
export interface FromClient {
  /** Its functions, and the secrets that it resolves. */
  readonly plugin: () => Plugin;
  readonly logger?: Logger;
  readonly onHITL?: (request: HumanRequest, signal: AbortSignal) => Promise<boolean>;
  readonly onApproval?: (request: HumanRequest & { readonly token?: () => string }, signal: AbortSignal) => Promise<boolean | undefined>;
  readonly credentialsOf?: (caller: string) => Promise<Readonly<Record<string, string>> | 'chain' | undefined>;
}

/** A provider as programs read it. */
export type ShownProvider = Readonly<{ name: string }>;

/** The tools of this process. */
export interface HostedToolkit {
  readonly kernel: Kernel;
  loadToolsFromDirectory(directory: string): Promise<readonly { readonly name: string }[]>;
  addProvider(name: string, definition: JsonOptions): Promise<void>;
  getProvider(name: string): ShownProvider | undefined;
  getAllProviders(): readonly ShownProvider[];
  loadProvider(name: string): Promise<ShownProvider>;
  authorizationUrl(name: string, options: JsonOptions): Promise<object>;
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** An MCP server of this process. */
export interface HostedServer {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly kernel: Kernel | undefined;
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<void>;
  stop(options?: { readonly drainMs?: number }): Promise<void>;
}

/** The tools for one API of models. */
export interface ModelForm {
  readonly tools: readonly object[];
  /** What goes back to the model for what it said. */
  run(calls: readonly object[], options: { readonly signal: AbortSignal }): Promise<readonly object[]>;
}

export type ModelApi = 'responses' | 'chat' | 'anthropic';

/** What stands in other plugins: handed in where the parts are put together. */
export interface HostParts {
  /** Throws ToolkitError for options that are wrong. */
  openToolkit(options: JsonOptions, client: FromClient): Promise<HostedToolkit>;
  /** `output`: standard output, for a server over stdio; without it there is none. */
  startServer(options: JsonOptions, client: FromClient, output: Writable | undefined): Promise<HostedServer>;
  /** Throws CONFIG_INVALID for options that are wrong. */
  modelForm(api: ModelApi, kernel: Kernel, options: JsonOptions): Promise<ModelForm>;
}

export type LoadParts = () => Promise<HostParts>;

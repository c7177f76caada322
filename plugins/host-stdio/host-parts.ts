import type { Writable } from 'node:stream';
import type { Kernel, Logger, Plugin } from '../../kernel/index.ts';
import type { HumanRequest } from '../shared/approval/human-request.ts';

type JsonOptions = Readonly<Record<string, unknown>>;

/** The client's contributions to a toolkit, in place of functions, which JSON cannot express. */
export interface ClientParts {
  /** Returns a plugin with the client's functions and the secrets that it resolves. */
  readonly plugin: () => Plugin;
  readonly logger?: Logger;
  readonly onHITL?: (request: HumanRequest, signal: AbortSignal) => Promise<boolean>;
  readonly onApproval?: (request: HumanRequest & { readonly token?: () => string }, signal: AbortSignal) => Promise<boolean | undefined>;
  readonly credentialsOf?: (caller: string) => Promise<Readonly<Record<string, string>> | 'chain' | undefined>;
}

/** A provider in the form that clients read. */
export type ProviderDescription = Readonly<{ name: string }>;

/** The tools of this process. */
export interface HostedToolkit {
  readonly kernel: Kernel;
  loadToolsFromDirectory(directory: string): Promise<readonly { readonly name: string }[]>;
  addProvider(name: string, definition: JsonOptions): Promise<void>;
  getProvider(name: string): ProviderDescription | undefined;
  getAllProviders(): readonly ProviderDescription[];
  loadProvider(name: string): Promise<ProviderDescription>;
  authorizationUrl(name: string, options: JsonOptions): Promise<object>;
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** An MCP server of this process. */
export interface HostedServer {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly kernel: Kernel | undefined;
  /** Resolves when the server has ended by itself. */
  readonly ended: Promise<void>;
  stop(options?: { readonly drainMs?: number }): Promise<void>;
}

/** The tools in the format of one model API. */
export interface ModelForm {
  readonly tools: readonly object[];
  /** Runs the model's calls. Returns the messages that go back to the model. */
  run(calls: readonly object[], options: { readonly signal: AbortSignal }): Promise<readonly object[]>;
}

export type ModelApi = 'responses' | 'chat' | 'anthropic';

/** Functions of other plugins, passed in where the parts are put together. */
export interface HostParts {
  /** Throws ToolkitError for invalid options. */
  openToolkit(options: JsonOptions, client: ClientParts): Promise<HostedToolkit>;
  /** Starts an MCP server. `output`: standard output for a server over stdio; undefined where the host has none to give. */
  startServer(options: JsonOptions, client: ClientParts, output: Writable | undefined): Promise<HostedServer>;
  /** Throws CONFIG_INVALID for invalid options. */
  modelForm(api: ModelApi, kernel: Kernel, options: JsonOptions): Promise<ModelForm>;
}

export type LoadParts = () => Promise<HostParts>;

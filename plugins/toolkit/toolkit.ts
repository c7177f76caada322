import { realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  createKernel,
  type DurableArguments,
  type DurableCalls,
  type DurableHandle,
  type DurableOptions,
  didYouMean,
  type ExecuteOptions,
  formatProblem,
  type Kernel,
  type KernelOptions,
  type LogFormat,
  type Logger,
  type LogLevel,
  messageOf,
  type OutputOf,
  type PluginEntry,
  type ProviderDefinition,
  revealSecret,
  type Tool,
  type ToolArguments,
  ToolkitError,
  type ToolName,
} from '../../kernel/index.ts';
import { findNodePackages } from '../tool-packages/node-packages.ts';
import { type AuthorizationOptions, type AuthorizationUrl, authorizationUrl } from './authorization-url.ts';
import { checkCallOptions } from './call-options.ts';
import { loadToolkitConfig } from './config/toolkit-config.ts';
import { type ToolCaller, type ToolDecorator, toolDecorator } from './decorator.ts';
import { type LoadedProvider, toLoadedProvider } from './loaded-provider.ts';
import { offerGlobalLogger } from './logger/global-logger.ts';
import { hostLogger } from './logger/host-logger.ts';
import { resolveAuthUrl } from './resolve-auth-url.ts';
import { RuntimeDefinitions } from './runtime-definitions.ts';
import { type StandardOptions, standard } from './standard.ts';

export interface ToolkitOptions extends StandardOptions {
  /** Finds installed provider packages. @default false */
  readonly autoDiscover?: boolean;
  /** Lowest level that is logged. `TOOLKIT_LOG_LEVEL` takes precedence. @default 'info' */
  readonly logLevel?: LogLevel;
  /** Format of the log. `TOOLKIT_LOG_FORMAT` takes precedence. @default 'json' when NODE_ENV is production, else 'simple' */
  readonly logFormat?: LogFormat;
  /**
   * Replaces the built-in logger: an object with the methods `error`, `warn`, `info` and `debug`. It gets every record, secrets masked, or those of
   * `logLevel` when that is set. @default the one set with `setGlobalToolkitLogger`, else the built-in logger
   */
  readonly logger?: Logger;
  /** Plugins in addition to the standard ones. */
  readonly plugins?: readonly PluginEntry[];
  /** Time limits of hooks, in milliseconds; they take precedence over the configuration. @default `defaultTimeoutsMs`, for each hook */
  readonly timeoutsMs?: KernelOptions['timeoutsMs'];
  /** Folder that relative paths start from. @default the folder of the configuration, else the working directory */
  readonly cwd?: string;
  /** Drops debug lines unless `TOOLKIT_LOG_LEVEL` requests them, as over stdio. @default false */
  readonly silencesDebug?: boolean;
  /** Loads a configuration too: true searches for one, a path names it. @default false */
  readonly config?: boolean | string;
}

/** The tools in your own program, without a server. Created by `Toolkit.init`; `await using` closes it. */
export class Toolkit implements AsyncDisposable {
  readonly #kernel: Kernel;
  readonly #runtimeDefinitions: RuntimeDefinitions;
  readonly #cwd: string;
  readonly #secretsOf: Readonly<Record<string, readonly string[]>>;
  readonly #withdrawLogger: () => void;

  private constructor(kernel: Kernel, own: RuntimeDefinitions, cwd: string, secretsOf: Readonly<Record<string, readonly string[]>>) {
    this.#kernel = kernel;
    this.#runtimeDefinitions = own;
    this.#cwd = cwd;
    this.#secretsOf = secretsOf;
    this.#withdrawLogger = offerGlobalLogger(kernel.logger);
  }

  /**
   * Loads the tools: those of this package, those in `toolPaths`, and those of `plugins`. An invalid definition is logged and left out. Throws
   * ToolkitError for options, plugins or a configuration that cannot be used.
   * @example
   * const toolkit = await Toolkit.init({ toolPaths: ['./tools'] });
   * console.log(await toolkit.execute('text_reverse', { text: 'stressed' }));
   * await toolkit.close();
   */
  static async init(options: ToolkitOptions = {}): Promise<Toolkit> {
    const {
      logLevel,
      logFormat,
      logger,
      plugins = [],
      config = false,
      autoDiscover = false,
      cwd = process.cwd(),
      silencesDebug = false,
      timeoutsMs,
      ...rest
    } = options;
    const loaded = config === false ? undefined : await loadToolkitConfig(cwd, config === true ? undefined : config);
    const level = logLevel ?? loaded?.config.logLevel;
    const format = logFormat ?? loaded?.config.logFormat;
    const own = new RuntimeDefinitions();
    const home = loaded === undefined || options.cwd !== undefined ? cwd : path.dirname(loaded.file);
    const kernel = await createKernel({
      cwd: home,
      plugins: [standard({ ...rest, autoDiscover }), ...(loaded === undefined ? [] : [loaded.config.plugins]), ...plugins, own.plugin()],
      logger: hostLogger({ logger, level, format, ...(silencesDebug ? { maxLevel: 'info' } : {}) }),
      timeoutsMs: { ...loaded?.config.timeoutsMs, ...timeoutsMs },
    });
    return new Toolkit(kernel, own, home, rest.secretsOf ?? {});
  }

  /** Runs a tool and returns its output; with `durable: true`, a handle on a call that survives a restart. Throws ToolkitError. */
  execute<Name extends ToolName>(toolName: Name, ...given: DurableArguments<Name, DurableOptions>): Promise<DurableHandle<OutputOf<Name>>>;
  execute<Name extends ToolName>(toolName: Name, ...given: ToolArguments<Name, ExecuteOptions>): Promise<OutputOf<Name>>;
  async execute(...[toolName, parameters, options]: [string, object?, (ExecuteOptions | DurableOptions)?]): Promise<unknown> {
    // The kernel checks the options of durable calls, and refuses other values than objects.
    if (typeof options === 'object' && options !== null && !('durable' in options)) checkCallOptions(toolName, options);
    return this.#kernel.execute(toolName, parameters as Readonly<Record<string, unknown>>, options as ExecuteOptions);
  }

  /** Durable calls of all callers: find them again after a restart, list, cancel and approve them. */
  get calls(): DurableCalls {
    return this.#kernel.calls;
  }

  /**
   * The decorator `@toolkit.tool(name)`: replaces a method of a class by a call of that tool with this toolkit.
   * @example
   * class Texts {
   * @toolkit.tool('text_reverse')
   * reverse(_parameters: { text: string }): Promise<string> {
   * throw new Error('replaced by the tool');
   * }
   * }
   */
  readonly tool = <Name extends ToolName>(name: Name): ToolDecorator<Name> => toolDecorator(name, () => this as ToolCaller);

  /** Returns all tools, sorted by name. */
  listTools(): readonly Tool[] {
    return [...this.#kernel.registry.tools.values()];
  }

  /** Adds every tool and provider below a directory, or of a file. Returns its tools; problems of others are logged. */
  async loadToolsFromDirectory(directory: string): Promise<readonly Tool[]> {
    const realDirectory = await realpath(path.resolve(this.#cwd, directory)).catch((error: unknown) => {
      throw new ToolkitError(
        'CONFIG_NOT_FOUND',
        `The tool directory "${directory}" cannot be read: ${messageOf(error)}. Correct the path.`,
      );
    });
    this.#runtimeDefinitions.addDirectory(realDirectory, { trust: 'operator' });
    await this.#kernel.reload();
    return this.listTools().filter(({ origin }) => origin.file !== undefined && `${origin.file}/`.startsWith(`${realDirectory}/`));
  }

  /** Registers a provider definition, or replaces one that was registered here. Throws TOOL_INVALID for an invalid one. */
  async addProvider(
    name: string,
    definition: Omit<ProviderDefinition, 'provider'> & Partial<Pick<ProviderDefinition, 'provider'>>,
  ): Promise<void> {
    this.#runtimeDefinitions.addProvider(name, { ...definition, provider: { ...definition.provider, name } });
    const { problems } = await this.#kernel.reload();
    const refused = problems.find(({ plugin, severity }) => plugin === 'own-definitions' && severity === 'error');
    if (refused !== undefined) throw new ToolkitError(refused.code, `The provider "${name}" is refused: ${formatProblem(refused)}`);
  }

  /** Returns a registered provider; undefined when there is none. */
  getProvider(name: string): LoadedProvider | undefined {
    const found = this.#kernel.registry.providers.get(name);
    return found === undefined ? undefined : toLoadedProvider(found.definition);
  }

  getAllProviders(): readonly LoadedProvider[] {
    return [...this.#kernel.registry.providers.values()].map(({ definition }) => toLoadedProvider(definition));
  }

  /** Returns a provider by name: a registered one, else that of the installed package `@toolkit/<name>`, which is then registered with its tools. */
  async loadProvider(name: string): Promise<LoadedProvider> {
    if (this.getProvider(name) === undefined) {
      const packageName = `@toolkit/${name}`;
      // The program names the package: that allows it.
      const { named } = await findNodePackages(this.#cwd, { allow: [packageName] });
      const directory = named.find((installed) => installed.name === packageName)?.paths[0];
      if (directory !== undefined) {
        this.#runtimeDefinitions.addDirectory(directory, {
          trust: 'package',
          package: { name: packageName, secrets: this.#secretsOf[packageName] ?? [] },
        });
        await this.#kernel.reload();
      }
    }
    const found = this.getProvider(name);
    if (found !== undefined) return found;
    const known = this.getAllProviders().map((provider) => provider.name);
    throw new ToolkitError(
      'CONFIG_NOT_FOUND',
      `There is no provider "${name}".${didYouMean(name, known)} Install @toolkit/${name}, or add it with addProvider().`,
    );
  }

  /**
   * Returns the URL that a person opens to grant a provider's scopes. `${NAME}` in client_id and redirect_uri is resolved with the secret chain.
   * Exchanging the code and storing the tokens is up to you. Throws CONFIG_INVALID for a provider without `oauth2`, and MISSING_PARAMETER without a client id or
   * a redirect URI.
   */
  async authorizationUrl(name: string, options: AuthorizationOptions = {}): Promise<AuthorizationUrl> {
    const { definition } = await this.loadProvider(name);
    const authUrl = await resolveAuthUrl(definition, (secret) => this.#secretText(secret));
    const { client_id: clientId = '', redirect_uri: redirectUri = '' } = definition.oauth2 ?? {};
    return authorizationUrl(definition, options, {
      authUrl,
      clientId: await this.#resolveReference(clientId, `client_id of "${name}"`, 'Write it into the definition, as oauth2.client_id'),
      redirectUri:
        options.redirectUri ??
        (await this.#resolveReference(
          redirectUri,
          `redirect_uri of "${name}"`,
          `Give "redirectUri" with the request, or write it into the definition, as oauth2.redirect_uri`,
        )),
    });
  }

  async #secretText(name: string): Promise<string | undefined> {
    await this.#kernel.resolveSecrets([name]);
    const secret = this.#kernel.secret(name);
    return secret === undefined ? undefined : revealSecret(secret);
  }

  async #resolveReference(text: string, label: string, missingAdvice: string): Promise<string> {
    const [, reference] = /^\$\{(\w+)\}$/.exec(text) ?? [];
    if (reference === undefined && text !== '') return text;
    const value = reference === undefined ? undefined : await this.#secretText(reference);
    if (value !== undefined) return value;
    const advice = reference === undefined ? missingAdvice : `Set ${reference}`;
    throw new ToolkitError('MISSING_PARAMETER', `The ${label} is not known. ${advice}.`);
  }

  /** Returns the logger of this toolkit, which masks known secrets. */
  getLogger(): Logger {
    return this.#kernel.logger;
  }

  /** The kernel of this toolkit, for hosts that need more. */
  get kernel(): Kernel {
    return this.#kernel;
  }

  /** Ends running calls and everything that was started. */
  close(options: Parameters<Kernel['close']>[0] = {}): Promise<void> {
    this.#withdrawLogger();
    return this.#kernel.close(options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

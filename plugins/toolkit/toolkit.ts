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
import { nodePackages } from '../tool-packages/node-packages.ts';
import { type AuthorizationOptions, type AuthorizationUrl, authorizationUrl } from './authorization-url.ts';
import { checkCallOptions } from './call-options.ts';
import { loadToolkitConfig } from './config/toolkit-config.ts';
import { type ToolCaller, type ToolDecorator, toolDecorator } from './decorator.ts';
import { type LoadedProvider, loadedProvider } from './loaded-provider.ts';
import { offerGlobalLogger } from './logger/global-logger.ts';
import { hostLogger } from './logger/host-logger.ts';
import { OwnDefinitions } from './own-definitions.ts';
import { type StandardOptions, standard } from './standard.ts';

export interface ToolkitOptions extends StandardOptions {
  /** @default false */
  readonly autoDiscover?: boolean;
  /** `TOOLKIT_LOG_LEVEL` wins over it. @default 'info' */
  readonly logLevel?: LogLevel;
  /** `TOOLKIT_LOG_FORMAT` wins over it. @default 'json' when NODE_ENV is production, else 'simple' */
  readonly logFormat?: LogFormat;
  /**
   * Takes the place of the built-in logger: an object with the methods `error`, `warn`, `info` and `debug`. It gets every record, secrets
   * masked, or those of `logLevel` when that is given. @default what `setGlobalToolkitLogger` set, else the built-in logger
   */
  readonly logger?: Logger;
  /** Plugins beside the standard ones. */
  readonly plugins?: readonly PluginEntry[];
  /** Time limits of hooks in milliseconds; they win over those of the configuration. @default `defaultTimeoutsMs`, hook by hook */
  readonly timeoutsMs?: KernelOptions['timeoutsMs'];
  /** Where relative paths start. @default the folder of the configuration, else the working directory */
  readonly cwd?: string;
  /** Only `TOOLKIT_LOG_LEVEL` may ask for debug lines, as it is over stdio. @default false */
  readonly silencesDebug?: boolean;
  /** Reads the configuration as well: true searches for one, a path names it. @default false */
  readonly config?: boolean | string;
}

/** The tools in your own program, without a server. Made by `Toolkit.init`; `await using` closes it. */
export class Toolkit implements AsyncDisposable {
  readonly #kernel: Kernel;
  readonly #own: OwnDefinitions;
  readonly #cwd: string;
  readonly #secretsOf: Readonly<Record<string, readonly string[]>>;
  readonly #withdrawLogger: () => void;

  private constructor(kernel: Kernel, own: OwnDefinitions, cwd: string, secretsOf: Readonly<Record<string, readonly string[]>>) {
    this.#kernel = kernel;
    this.#own = own;
    this.#cwd = cwd;
    this.#secretsOf = secretsOf;
    this.#withdrawLogger = offerGlobalLogger(kernel.logger);
  }

  /**
   * Loads the tools: those that come with the toolkit, those in `toolPaths`, and what `plugins` bring. A definition that is broken is logged
   * and left out. Throws ToolkitError for options, plugins or a configuration that cannot be used.
   * @example
   *     const toolkit = await Toolkit.init({ toolPaths: ['./tools'] });
   *     console.log(await toolkit.execute('text_reverse', { text: 'stressed' }));
   *     await toolkit.close();
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
    const own = new OwnDefinitions();
    const home = loaded === undefined || options.cwd !== undefined ? cwd : path.dirname(loaded.file);
    const kernel = await createKernel({
      cwd: home,
      plugins: [standard({ ...rest, autoDiscover }), ...(loaded === undefined ? [] : [loaded.config.plugins]), ...plugins, own.plugin()],
      logger: hostLogger({ logger, level, format, ...(silencesDebug ? { maxLevel: 'info' } : {}) }),
      timeoutsMs: { ...loaded?.config.timeoutsMs, ...timeoutsMs },
    });
    return new Toolkit(kernel, own, home, rest.secretsOf ?? {});
  }

  /** Runs a tool and returns its output; with `durable: true`, a handle of a call that survives a restart. Throws ToolkitError. */
  execute<Name extends ToolName>(toolName: Name, ...given: DurableArguments<Name, DurableOptions>): Promise<DurableHandle<OutputOf<Name>>>;
  execute<Name extends ToolName>(toolName: Name, ...given: ToolArguments<Name, ExecuteOptions>): Promise<OutputOf<Name>>;
  async execute(...[toolName, parameters, options]: [string, object?, (ExecuteOptions | DurableOptions)?]): Promise<unknown> {
    // What a durable call may have, the kernel says.
    if (options === undefined || !('durable' in options)) checkCallOptions(toolName, options);
    return this.#kernel.execute(toolName, parameters as Readonly<Record<string, unknown>>, options as ExecuteOptions);
  }

  /** Durable calls, those of all callers: given again after a restart, listed, cancelled, approved. */
  get calls(): DurableCalls {
    return this.#kernel.calls;
  }

  /**
   * The decorator `@toolkit.tool(name)`: replaces a method of a class with a call of that tool by this toolkit.
   * @example
   *     class Texts {
   *       @toolkit.tool('text_reverse')
   *       reverse(_parameters: { text: string }): Promise<string> {
   *         throw new Error('replaced by the tool');
   *       }
   *     }
   */
  readonly tool = <Name extends ToolName>(name: Name): ToolDecorator<Name> => toolDecorator(name, () => this as ToolCaller);

  /** Every tool, by name. */
  listTools(): readonly Tool[] {
    return [...this.#kernel.registry.tools.values()];
  }

  /** Adds every tool and provider below a directory, or a file. Gives its tools; what is wrong with the others is in the log. */
  async loadToolsFromDirectory(directory: string): Promise<readonly Tool[]> {
    const place = await realpath(path.resolve(this.#cwd, directory)).catch((error: unknown) => {
      throw new ToolkitError(
        'CONFIG_NOT_FOUND',
        `The tool directory "${directory}" cannot be read: ${messageOf(error)}. Correct the path.`,
      );
    });
    this.#own.addDirectory(place, { trust: 'operator' });
    await this.#kernel.reload();
    return this.listTools().filter(({ origin }) => origin.file !== undefined && `${origin.file}/`.startsWith(`${place}/`));
  }

  /** Registers a provider definition, or replaces the one that was registered here. Throws TOOL_INVALID for one that is refused. */
  async addProvider(
    name: string,
    definition: Omit<ProviderDefinition, 'provider'> & Partial<Pick<ProviderDefinition, 'provider'>>,
  ): Promise<void> {
    this.#own.addProvider(name, { ...definition, provider: { ...definition.provider, name } });
    const { problems } = await this.#kernel.reload();
    const refused = problems.find(({ plugin, severity }) => plugin === 'own-definitions' && severity === 'error');
    if (refused !== undefined) throw new ToolkitError(refused.code, `The provider "${name}" is refused: ${formatProblem(refused)}`);
  }

  /** A provider that is registered; undefined when there is none. */
  getProvider(name: string): LoadedProvider | undefined {
    const found = this.#kernel.registry.providers.get(name);
    return found === undefined ? undefined : loadedProvider(found.definition);
  }

  getAllProviders(): readonly LoadedProvider[] {
    return [...this.#kernel.registry.providers.values()].map(({ definition }) => loadedProvider(definition));
  }

  /** A provider by name: a registered one, else that of the installed package `@toolkit/<name>`, which is registered with its tools. */
  async loadProvider(name: string): Promise<LoadedProvider> {
    if (this.getProvider(name) === undefined) {
      const packageName = `@toolkit/${name}`;
      // Naming it here is enough.
      const { taken } = await nodePackages(this.#cwd, { allow: [packageName] });
      const place = taken.find((installed) => installed.name === packageName)?.paths[0];
      if (place !== undefined) {
        this.#own.addDirectory(place, { trust: 'package', package: { name: packageName, secrets: this.#secretsOf[packageName] ?? [] } });
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
   * The URL that a person opens to grant a provider's scopes. `${NAME}` in client_id and redirect_uri is looked up in the secret chain.
   * Exchanging the code, and keeping the tokens, is up to you.
   */
  async authorizationUrl(name: string, options: AuthorizationOptions = {}): Promise<AuthorizationUrl> {
    const { definition } = await this.loadProvider(name);
    const { client_id: clientId = '', redirect_uri: redirectUri = '' } = definition.oauth2 ?? {};
    return authorizationUrl(definition, options, {
      clientId: await this.#filled(clientId, `client_id of "${name}"`),
      redirectUri: options.redirectUri ?? (await this.#filled(redirectUri, `redirect_uri of "${name}"`)),
    });
  }

  async #filled(text: string, what: string): Promise<string> {
    const [, reference] = /^\$\{(\w+)\}$/.exec(text) ?? [];
    if (reference === undefined && text !== '') return text;
    if (reference !== undefined) await this.#kernel.resolveSecrets([reference]);
    const secret = reference === undefined ? undefined : this.#kernel.secret(reference);
    if (secret !== undefined) return revealSecret(secret);
    const advice = reference === undefined ? 'Write it into the definition' : `Set ${reference}`;
    throw new ToolkitError('MISSING_PARAMETER', `The ${what} is not known. ${advice}.`);
  }

  /** The logger of this toolkit. Secrets that it knows are masked. */
  getLogger(): Logger {
    return this.#kernel.logger;
  }

  /** The kernel underneath, for hosts that need more. */
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

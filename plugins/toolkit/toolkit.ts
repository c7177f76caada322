import path from 'node:path';
import {
  type CallRequest,
  createKernel,
  createLogger,
  type JsonValue,
  type Kernel,
  type LogFormat,
  type Logger,
  type LogLevel,
  type PluginEntry,
  type Tool,
} from '../../kernel/index.ts';
import { loadToolkitConfig } from './load-config.ts';
import { type StandardOptions, standard } from './standard.ts';

export interface ToolkitOptions extends StandardOptions {
  /** @default false */
  readonly autoDiscover?: boolean;
  /** @default 'info' */
  readonly logLevel?: LogLevel;
  /** @default 'json' when NODE_ENV is production, else 'simple' */
  readonly logFormat?: LogFormat;
  /** Takes the place of the built-in logger. */
  readonly logger?: Logger;
  /** Plugins beside the standard ones. */
  readonly plugins?: readonly PluginEntry[];
  /** Where relative paths start. @default the folder of the configuration, else the working directory */
  readonly cwd?: string;
  /** Reads the configuration as well: true searches for one, a path names it. @default false */
  readonly config?: boolean | string;
}

/** Tools as a library: `const toolkit = await Toolkit.init({ toolPaths: ['./tools'] })`. */
export class Toolkit {
  readonly #kernel: Kernel;

  private constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Loads the tools. Throws ToolkitError for options, plugins or a configuration that cannot be used. */
  static async init(options: ToolkitOptions = {}): Promise<Toolkit> {
    const { logLevel, logFormat, logger, plugins = [], config = false, autoDiscover = false, cwd = process.cwd(), ...rest } = options;
    const loaded = config === false ? undefined : await loadToolkitConfig(cwd, config === true ? undefined : config);
    const level = logLevel ?? loaded?.config.logLevel;
    const format = logFormat ?? loaded?.config.logFormat;
    const kernel = await createKernel({
      cwd: loaded === undefined || options.cwd !== undefined ? cwd : path.dirname(loaded.file),
      plugins: [standard({ ...rest, autoDiscover }), ...(loaded === undefined ? [] : [loaded.config.plugins]), ...plugins],
      logger: logger ?? createLogger({ ...(level === undefined ? {} : { level }), ...(format === undefined ? {} : { format }) }),
      ...(loaded?.config.timeoutsMs === undefined ? {} : { timeoutsMs: loaded.config.timeoutsMs }),
    });
    return new Toolkit(kernel);
  }

  /** Runs a tool and returns its output. Throws ToolkitError. */
  execute(
    toolName: string,
    params: Readonly<Record<string, unknown>> = {},
    options: Omit<CallRequest, 'tool' | 'parameters'> = {},
  ): Promise<JsonValue> {
    return this.#kernel.execute(toolName, params, options);
  }

  /** Every tool, by name. */
  listTools(): readonly Tool[] {
    return [...this.#kernel.registry.tools.values()];
  }

  getLogger(): Logger {
    return this.#kernel.logger;
  }

  /** The kernel underneath, for hosts that need more. */
  get kernel(): Kernel {
    return this.#kernel;
  }

  /** Ends running calls and everything that was started. */
  close(): Promise<void> {
    return this.#kernel.close();
  }
}

import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import {
  type AdaptableOptions,
  type Command,
  createKernel,
  flattenPlugins,
  type Kernel,
  type Overrides,
  type Plugin,
  ToolkitError,
} from '../../../kernel/index.ts';
import type { McpOptions } from '../../mcp/index.ts';
import { ownsStdout } from '../../mcp/transports/index.ts';
import { reserveStdout } from '../../shared/process/reserve-stdout.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { loadToolkitConfig } from '../config/toolkit-config.ts';
import { offerGlobalLogger } from '../logger/global-logger.ts';
import { hostLogger } from '../logger/host-logger.ts';
import { builtInCommands } from './built-in-commands.ts';
import { builtInSurfaces } from './built-in-surfaces.ts';
import { type CodeWriter, createCodeWriter, type KeepCode } from './code-writer.ts';
import { type CommandServices, commandProgram } from './command-program.ts';
import { commandTerminal } from './command-terminal.ts';
import { flagNames } from './flag-names.ts';
import { globalFlags } from './global-flags.ts';
import { HangupHandler } from './hangup-handler.ts';
import { createInterruptSignal } from './interrupt-signal.ts';
import { listedCommands } from './listed-commands.ts';
import { type ExitCode, reportError } from './report-error.ts';
import { serveUntilStopped } from './serve.ts';
import type { StandardError } from './standard-error/standard-error.ts';
import { type EndWatch, watchEnd } from './watch-end.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The plugins that add commands, and the loaded configuration or the error of loading it. */
type ConfiguredPlugins = {
  readonly plugins: readonly Plugin[];
  readonly commands: readonly Command[];
} & ({ readonly loaded: LoadedConfig | undefined } | { readonly failure: unknown });

/** Runs `toolkit` with these arguments. `keepCode` writes compiled code for later processes. */
export async function runCommandLine(
  argv: readonly string[],
  env: Environment,
  errors: StandardError,
  keepCode: KeepCode = async () => {},
): Promise<ExitCode> {
  const output = reserveStdout();
  // When the reader of the log has ended, the work goes on.
  process.stderr.on('error', () => {});
  let writeError: NodeJS.ErrnoException | undefined;
  output.stream.on('error', (error) => {
    writeError = error;
  });
  const flags = globalFlags(argv);
  const isDebug = flags.debug === true;
  const watch = watchEnd(isDebug, errors);
  const codeWriter = createCodeWriter(keepCode);
  const code = await runWith({ output: output.stream, errors, watch, codeWriter }, argv, flags, env);
  watch.allowExit();
  await new Promise<void>((resolve) => output.stream.end(resolve));
  output.release();
  await codeWriter.finish();
  // A reader that ended early, such as `head`, is no failure.
  if (writeError === undefined || writeError.code === 'EPIPE') return code;
  return reportError(
    new ToolkitError('EXECUTION_FAILED', `Standard output cannot be written: ${writeError.message}`, {}, { cause: writeError }),
    isDebug,
    errors,
  );
}

/** The output streams and watchers of the process. */
interface ProcessServices {
  readonly output: Writable;
  readonly errors: StandardError;
  readonly watch: EndWatch;
  readonly codeWriter: CodeWriter;
}

async function runWith(
  processServices: ProcessServices,
  argv: readonly string[],
  { config: file, cwd, debug: isDebug = false, word }: ReturnType<typeof globalFlags>,
  env: Environment,
): Promise<ExitCode> {
  const { errors, watch } = processServices;
  try {
    changeDirectory(cwd === undefined ? 'TOOLKIT_CWD' : '--cwd', cwd ?? env['TOOLKIT_CWD']);
    const configured = await configuredPlugins(file, word, watch);
    errors.setFormat('failure' in configured ? undefined : configured.loaded?.config.logFormat);
    const { commands } = configured;
    // An unknown command may belong to a configuration that failed to load.
    const isKnown = word === undefined || word === 'complete' || commands.some(({ name }) => name.split(' ')[0] === word);
    if ('failure' in configured && !isKnown) throw configured.failure;
    let exitCode: ExitCode = 0;
    const services = commandServices(configured, env, isDebug, processServices, (code) => {
      exitCode = code;
    });
    await commandProgram(commands, services, errors).parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportError(error, isDebug, errors);
  }
}

/** Changes the working directory: for configuration, installed packages and relative paths. */
function changeDirectory(source: string, folder: string | undefined): void {
  if (folder === undefined || folder === '') return;
  try {
    process.chdir(folder);
  } catch (error) {
    throw new ToolkitError(
      'CONFIG_NOT_FOUND',
      `${source} names "${folder}", which is not a directory that can be entered. Correct it.`,
      {},
      { cause: error },
    );
  }
}

/** Returns the working directory. Throws when it was removed, even if a folder with its name exists again. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new ToolkitError(
      'CONFIG_NOT_FOUND',
      'The working directory was removed. Enter it again where it was replaced (cd "$PWD"), or say another one with --cwd.',
      {},
      { cause: error },
    );
  }
}

/** Returns the plugins of the configuration, and always the built-in commands. */
async function configuredPlugins(file: string | undefined, word: string | undefined, watch: EndWatch): Promise<ConfiguredPlugins> {
  const plugins = builtInCommands();
  const commands = listedCommands(plugins);
  const named = commands.find(({ name }) => name === word);
  if (named?.readsConfiguration === false) {
    if (file === undefined) return { loaded: undefined, plugins, commands };
    throw new ToolkitError('INVALID_PARAMETERS', `"toolkit ${word}" reads no configuration by itself: leave --config out.`);
  }
  try {
    const loaded = await loadToolkitConfig(workingDirectory(), file, (found) => watch.setLoading(found));
    const configured = flattenPlugins([plugins, ...(loaded?.config.plugins ?? [])]);
    return { loaded, plugins: configured, commands: listedCommands(configured) };
  } catch (failure) {
    return { failure, plugins, commands };
  } finally {
    watch.setLoading(undefined);
  }
}

function commandServices(
  configured: ConfiguredPlugins,
  env: Environment,
  isDebug: boolean,
  { output, watch, codeWriter }: ProcessServices,
  setExitCode: (code: ExitCode) => void,
): CommandServices {
  let signal: AbortSignal | undefined;
  const hangups = new HangupHandler();
  const interruptSignal = (): AbortSignal => {
    signal ??= createInterruptSignal(() => hangups.handle());
    return signal;
  };
  // A flag takes precedence over the environment.
  const loggerEnv = isDebug ? { ...env, TOOLKIT_LOG_LEVEL: 'debug' } : env;
  const file = 'failure' in configured ? undefined : configured.loaded?.file;
  return {
    env,
    terminal: commandTerminal(env),
    ...(file === undefined ? {} : { configFile: file }),
    program: [process.execPath, '--', realpathSync(process.argv[1] ?? '')],
    builtIn: [...builtInCommands(), ...builtInSurfaces()],
    flagNames: (command) => flagNames(configured.commands, command),
    createKernel: async (overrides = {}, adapt = (options) => options) => {
      const kernel = await kernelWith(configured, overrides, loggerEnv, adapt);
      watch.addKernel(kernel);
      codeWriter.setKind('command');
      return kernel;
    },
    serve: (kernel, options) => {
      codeWriter.setKind('server');
      hangups.setKernel(kernel);
      return serveUntilStopped(kernel, { ...options, output }, interruptSignal());
    },
    interrupted: interruptSignal,
    setExitCode,
    output,
    write: (text) => void output.write(text),
    note: (text) => void process.stderr.write(text),
  };
}

async function kernelWith(
  configured: ConfiguredPlugins,
  given: Overrides | (() => Overrides),
  env: Environment,
  adapt: (options: AdaptableOptions) => AdaptableOptions,
): Promise<Kernel> {
  if ('failure' in configured) throw configured.failure;
  const overrides = typeof given === 'function' ? given() : given;
  const { loaded } = configured;
  const plugins = loaded === undefined ? await withStandard(configured.plugins) : configured.plugins;
  const { logLevel, logFormat, timeoutsMs } = loaded?.config ?? {};
  const missing = Object.keys(overrides).find((name) => !plugins.some((plugin) => plugin.name === name));
  if (missing !== undefined)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `A flag sets options of the plugin "${missing}", which ${loaded?.file ?? 'the configuration'} does not list. Add it, or leave the flag out.`,
    );
  const options: AdaptableOptions = {
    ...(loaded === undefined ? {} : { cwd: path.dirname(loaded.file) }),
    plugins: plugins.map((plugin) => withOverrides(plugin, overrides[plugin.name])),
    logger: hostLogger({ level: logLevel, format: logFormat, maxLevel: servesOnStdout(plugins, overrides) ? 'info' : 'debug', env }),
    ...(timeoutsMs === undefined ? {} : { timeoutsMs }),
  };
  const adapted = adapt(options);
  const kernel = await createKernel({ ...adapted, plugins: flattenPlugins(adapted.plugins) });
  await refuseUnreadDefinitions(kernel);
  offerGlobalLogger(kernel.logger);
  return kernel;
}

/** Applies overrides to a plugin. One written by hand may lack the members that definePlugin adds. */
function withOverrides(plugin: Plugin, options: Overrides[string] | undefined): Plugin {
  return options === undefined ? plugin : { ...plugin, ...plugin.withOptions(options) };
}

/** Throws when definitions could not be read for lack of file descriptors: a server must not start without its tools. */
async function refuseUnreadDefinitions(kernel: Kernel): Promise<void> {
  const message = kernel.registry.problems.map((problem) => problem.message).find((text) => /\b(EMFILE|ENFILE): /.test(text));
  if (message === undefined) return;
  await kernel.close();
  throw Object.assign(new Error(message), { code: message.includes('EMFILE: ') ? 'EMFILE' : 'ENFILE' });
}

/** Adds the standard plugins, when there is no configuration. They have no commands, so help does not load them. */
async function withStandard(plugins: readonly Plugin[]): Promise<readonly Plugin[]> {
  const { standard } = await import('../standard.ts');
  return flattenPlugins([plugins, standard()]);
}

/** True when the MCP server is to use standard output. */
function servesOnStdout(plugins: readonly Plugin[], overrides: Overrides): boolean {
  const server = overrides['mcp'] === undefined ? undefined : plugins.find(({ name }) => name === 'mcp');
  const options = server?.withOptions(overrides['mcp'] ?? {}).options as McpOptions | undefined;
  return options !== undefined && ownsStdout(options);
}

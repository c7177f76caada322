import path from 'node:path';
import type { Writable } from 'node:stream';
import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import {
  apiVersion,
  type Command,
  type CommandInvocation,
  createKernel,
  createLogger,
  definePlugin,
  flattenPlugins,
  type Kernel,
  type LoadedConfig,
  type Plugin,
  ToolkitError,
} from '../../kernel/index.ts';
import { auditVerifyCommand } from '../audit-trail/command.ts';
import { explain } from '../explain/index.ts';
import { mcp } from '../mcp/index.ts';
import { secretsCheck } from '../secrets-check/index.ts';
import { reserveStdout } from '../shared/reserve-stdout.ts';
import { version } from '../shared/version.ts';
import { loadToolkitConfig } from './load-config.ts';
import { serveUntilStopped } from './serve.ts';
import { standard } from './standard.ts';

/** Exit codes: 0 done, 1 failed, 2 used wrongly. */
export type ExitCode = 0 | 1 | 2;

/** Runs `toolkit` with these arguments. */
export async function runCommandLine(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<ExitCode> {
  const output = reserveStdout();
  try {
    moveTo(env['TOOLKIT_CWD']);
    const loaded = await loadToolkitConfig(process.cwd(), configFlag(argv));
    const plugins = pluginsOf(loaded);
    const program = createProgram(output.stream);
    for (const command of plugins.flatMap((plugin) => plugin.commands ?? [])) addCommand(program, command, plugins, loaded, output.stream);
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  } finally {
    await new Promise<void>((resolve) => output.stream.end(resolve));
    output.release();
  }
}

/** TOOLKIT_CWD is the working directory in every respect: configuration, installed packages, relative paths. */
function moveTo(folder: string | undefined): void {
  if (folder === undefined || folder === '') return;
  try {
    process.chdir(folder);
  } catch (error) {
    throw new ToolkitError(
      'CONFIG_NOT_FOUND',
      `TOOLKIT_CWD names "${folder}", which is not a directory that can be entered. Correct it.`,
      {},
      { cause: error },
    );
  }
}

/** The flag is needed before commands are known, because the configuration may bring commands. */
function configFlag(argv: readonly string[]): string | undefined {
  const index = argv.findIndex((argument) => argument === '--config' || argument.startsWith('--config='));
  if (index < 0) return undefined;
  return argv[index]?.startsWith('--config=') ? argv[index]?.slice('--config='.length) : argv[index + 1];
}

/** The configuration's plugins; without a configuration, the standard ones. The built-in commands are always there. */
function pluginsOf(loaded: LoadedConfig | undefined): readonly Plugin[] {
  return flattenPlugins([
    [mcp(), secretsCheck(), explain(), auditVerify()],
    ...(loaded === undefined ? [standard()] : loaded.config.plugins),
  ]);
}

/** So that a trail can be verified where no configuration keeps one. One that does takes its place. */
const auditVerify = definePlugin({ name: 'audit-trail', apiVersion, commands: [auditVerifyCommand], apply() {} });

function createProgram(output: Writable): Commander {
  return new Commander('toolkit')
    .description('Turns declarative tool definitions into tools that assistants and programs can call safely.')
    .version(version)
    .option('--config <file>', 'configuration file (default: found from the working directory upwards; TOOLKIT_CWD moves it)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void output.write(text) })
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: true });
}

function addCommand(
  program: Commander,
  command: Command,
  plugins: readonly Plugin[],
  loaded: LoadedConfig | undefined,
  output: Writable,
): void {
  const sub = commandAt(program, command.name.split(' ')).description(command.description);
  for (const { name, description } of command.arguments ?? []) sub.argument(name, description);
  for (const { flag, description, default: byDefault, parse } of command.flags ?? []) {
    const option = new Option(flag, description);
    if (byDefault !== undefined) option.default(byDefault);
    if (parse !== undefined) option.argParser((value) => parsed(parse, value));
    sub.addOption(option);
  }
  sub.action(async () => {
    const invocation: CommandInvocation = {
      arguments: sub.args,
      flags: sub.opts(),
      createKernel: (overrides) => kernelWith(plugins, overrides ?? {}, loaded),
      serve: (kernel) => serveUntilStopped(kernel, output),
      write: (text) => void output.write(text),
    };
    await command.run(invocation);
  });
}

/** The command of that path; groups on the way are made when they are not there. */
function commandAt(parent: Commander, [name = '', ...rest]: readonly string[]): Commander {
  const own = parent.commands.find((command) => command.name() === name) ?? parent.command(name).exitOverride();
  return rest.length === 0 ? own : commandAt(own, rest);
}

function parsed(parse: (value: string) => unknown, value: string): unknown {
  try {
    return parse(value);
  } catch (error) {
    throw new InvalidArgumentError(ToolkitError.is(error) ? error.message : String(error));
  }
}

async function kernelWith(
  plugins: readonly Plugin[],
  overrides: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  loaded: LoadedConfig | undefined,
): Promise<Kernel> {
  const { logLevel, logFormat, timeoutsMs } = loaded?.config ?? {};
  const missing = Object.keys(overrides).find((name) => !plugins.some((plugin) => plugin.name === name));
  if (missing !== undefined)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `A flag sets options of the plugin "${missing}", which ${loaded?.file ?? 'the configuration'} does not list. Add it, or leave the flag out.`,
    );
  return createKernel({
    ...(loaded === undefined ? {} : { cwd: path.dirname(loaded.file) }),
    plugins: plugins.map((plugin) => plugin.withOptions(overrides[plugin.name] ?? {})),
    logger: createLogger({
      ...(logLevel === undefined ? {} : { level: logLevel }),
      ...(logFormat === undefined ? {} : { format: logFormat }),
    }),
    ...(timeoutsMs === undefined ? {} : { timeoutsMs }),
  });
}

function report(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(
    ToolkitError.is(error)
      ? `toolkit: ${error.code}: ${error.message}\n`
      : `toolkit: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}

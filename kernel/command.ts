import type { Readable, Writable } from 'node:stream';
import type { ConfiguredPlugin, FlagTopic, Kernel, KernelSettings, Overrides } from './kernel-api.ts';
import type { ServeOptions } from './serve/serve-sink.ts';

/** A subcommand of `toolkit`. */
export interface Command {
  /** One word, or several for a command within a group, such as `secrets check`. */
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly CommandArgument[];
  readonly flags?: readonly CommandFlag[];
  /** Topics of the plugins' flags that the command has as well. `createKernel` applies their values. @default none */
  readonly topics?: readonly FlagTopic[];
  /** Values of plugins' flags that the command sets when they are not given, by name such as `transport`. */
  readonly flagDefaults?: Readonly<Record<string, string>>;
  /** Command lines for the end of the help, each with its effect. */
  readonly examples?: readonly { readonly line: string; readonly does: string }[];
  /**
   * True when undeclared flags are passed on unchanged in `arguments`. `--help` is passed on too when another argument stands before it.
   * @default false
   */
  readonly takesOtherFlags?: boolean;
  /** False when the command runs without a configuration and refuses `--config`. @default true */
  readonly readsConfiguration?: boolean;
  run(invocation: CommandInvocation): Promise<void>;
}

/** Returns values for shell completion. `--config` and `--cwd` are in effect. */
export type Complete = (invocation: Pick<CommandInvocation, 'createKernel'>) => Promise<readonly string[]>;

export interface CommandArgument {
  /** The argument in commander's syntax, such as `<file>` or `[files...]`. */
  readonly name: string;
  readonly description: string;
  /** Checks the value. Throws ToolkitError INVALID_PARAMETERS for an invalid one. The returned value is ignored. */
  readonly parse?: (value: string) => unknown;
  /** Completes the argument in the shell. @default file names */
  readonly complete?: Complete;
}

export interface CommandFlag {
  /** The flag in commander's syntax, such as `-p, --port <number>`. */
  readonly flag: string;
  readonly description: string;
  readonly default?: string;
  /** Converts the value. Throws ToolkitError INVALID_PARAMETERS for an invalid one. */
  readonly parse?: (value: string) => unknown;
  /** True when the flag may be given several times; its value is then a list. @default false */
  readonly repeats?: boolean;
  /** Completes the value in the shell. @default file names */
  readonly complete?: Complete;
}

/** The terminal of a command. */
export interface Terminal {
  /** True when standard output is a terminal; false when a program reads it. */
  readonly isTerminal: boolean;
  /** True when a person can be asked: standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  /** Width of standard output in characters. @default unlimited without a terminal */
  readonly columns?: number;
  /** True when standard output shows colours. `NO_COLOR` and `FORCE_COLOR` take precedence over detection. */
  readonly hasColors: boolean;
  /** Standard input, for a person's answers. */
  readonly input: Readable;
  /** Standard error, for questions and progress. */
  readonly error: Writable;
}

/** The settings from which `createKernel` of a command creates the kernel. */
export interface AdaptableOptions extends KernelSettings {
  /** The plugins of the configuration. */
  readonly plugins: readonly unknown[];
}

/** The arguments and services of a running command. If `run` throws `INVALID_PARAMETERS`, the process exits with 2; for other errors with 1. */
export interface CommandInvocation {
  readonly arguments: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** The configuration file in effect. Undefined when there is none or it cannot be loaded; `createKernel` then throws the reason. */
  readonly configFile?: string;
  /** The command line that starts this program again, such as `['/usr/bin/node', '--', '/opt/toolkit/main.js']`. */
  readonly program: readonly string[];
  /** The built-in plugins whose commands, flags and checks exist even when the configuration does not list them. They apply nothing. */
  readonly builtIn: readonly ConfiguredPlugin[];
  /** Returns the long flags of a command without the dashes, such as `config`: its own, those of plugins, and those of every command. */
  flagNames(command: string): ReadonlySet<string>;
  /**
   * Creates the kernel of the configuration. `overrides` are plugin options by plugin name, or a function that returns them once
   * the configuration is read; they take precedence over it.
   * `adapt` may change the settings, such as the logger. Throws when the configuration is invalid.
   */
  createKernel(overrides?: Overrides | (() => Overrides), adapt?: (options: AdaptableOptions) => AdaptableOptions): Promise<Kernel>;
  /**
   * Starts the transports and keeps the process alive until a signal arrives or a transport ends. Then closes the kernel. SIGHUP reloads the
   * kernel, unless the terminal was closed. With `work`, runs durable calls instead of transports.
   */
  serve(kernel: Kernel, options?: Pick<ServeOptions, 'work'>): Promise<void>;
  /** Returns a signal that Ctrl-C (SIGINT, SIGTERM, SIGHUP) aborts instead of ending the process. A second one ends the process. */
  interrupted(): AbortSignal;
  /** Standard output, free of all other prints: for a command with a protocol on it. */
  readonly output: Writable;
  /** Writes the result to standard output. */
  write(text: string): void;
  /** Sets the exit code of a run that throws nothing. @default 0 */
  setExitCode(code: number): void;
  /** Writes a note to standard error. */
  note(text: string): void;
}

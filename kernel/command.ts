import type { Readable, Writable } from 'node:stream';
import type { ServeOptions } from './hooks.ts';
import type { Kernel, KernelSettings } from './kernel-api.ts';

/** A subcommand of `toolkit`. */
export interface Command {
  /** One word, or several for a command within a group, such as `secrets check`. */
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly CommandArgument[];
  readonly flags?: readonly CommandFlag[];
  /** Command lines for the end of the help, each with what it does. */
  readonly examples?: readonly { readonly line: string; readonly does: string }[];
  /**
   * Flags that are not declared are no mistake: they are among `arguments`, as they were written, and so is `--help` when something stands
   * before it. @default false
   */
  readonly takesOtherFlags?: boolean;
  /** False: it runs without a configuration, and one that is named is refused. @default true */
  readonly readsConfiguration?: boolean;
  run(invocation: CommandInvocation): Promise<void>;
}

/** Values that the shell offers. `--config` and `--cwd` are in effect. */
export type Complete = (invocation: Pick<CommandInvocation, 'createKernel'>) => Promise<readonly string[]>;

export interface CommandArgument {
  /** As commander writes it, such as `<file>` or `[files...]`. */
  readonly name: string;
  readonly description: string;
  /** Throws ToolkitError INVALID_PARAMETERS for a value that cannot be used. What it returns is not kept. */
  readonly parse?: (value: string) => unknown;
  /** @default what the shell offers by itself: files */
  readonly complete?: Complete;
}

export interface CommandFlag {
  /** As commander writes it, such as `-p, --port <number>`. */
  readonly flag: string;
  readonly description: string;
  readonly default?: string;
  /** Throws ToolkitError INVALID_PARAMETERS for a value that cannot be used. */
  readonly parse?: (value: string) => unknown;
  /** The flag may be given several times: its value is the list of all. @default false */
  readonly repeats?: boolean;
  /** @default what the shell offers by itself: files */
  readonly complete?: Complete;
}

/** What the command talks to. */
export interface Terminal {
  /** Standard output is a terminal; else it is read by a program. */
  readonly isTerminal: boolean;
  /** A person can be asked: standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  /** Width of standard output in characters. @default unlimited, where it is no terminal */
  readonly columns?: number;
  /** Standard output shows colours. `NO_COLOR` and `FORCE_COLOR` win over what it is. */
  readonly hasColors: boolean;
  /** Where a person answers. */
  readonly input: Readable;
  /** Where a person is asked, and shown how far the work is: standard error. */
  readonly error: Writable;
}

/** What `createKernel` of a command would make the kernel of. */
export interface AdaptableOptions extends KernelSettings {
  /** What the configuration lists. */
  readonly plugins: readonly unknown[];
}

/** What a command gets. `INVALID_PARAMETERS` thrown by it ends the process with 2 (used wrongly), any other error with 1. */
export interface CommandInvocation {
  readonly arguments: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** The configuration file in effect; undefined where there is none, or it cannot be loaded: `createKernel` then says why. */
  readonly configFile?: string;
  /** The words that start this program again, such as `['/usr/bin/node', '--', '/opt/toolkit/main.js']`. */
  readonly program: readonly string[];
  /**
   * Makes the kernel of the configuration, with options of plugins (by plugin name) laid over those of the configuration. `adapt` may
   * change what it is made of, such as its logger. Throws what is wrong with the configuration.
   */
  createKernel(
    overrides?: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    adapt?: (options: AdaptableOptions) => AdaptableOptions,
  ): Promise<Kernel>;
  /**
   * Starts the transports of the kernel, keeps the process alive until a signal or until a transport ends, then closes the kernel. SIGHUP
   * reloads it, unless the terminal was closed. `work`: durable calls in place of transports.
   */
  serve(kernel: Kernel, options?: Pick<ServeOptions, 'work'>): Promise<void>;
  /** From the first call on, Ctrl-C (SIGINT, SIGTERM, SIGHUP) aborts this signal in place of ending the process; a second one ends it. */
  interrupted(): AbortSignal;
  /** Standard output, kept from everything else that is printed: for a command that speaks on it. */
  readonly output: Writable;
  /** The result, on standard output. */
  write(text: string): void;
  /** What is not the result, on standard error. */
  note(text: string): void;
}

import type { Tool } from '../definition/tool.ts';
import type { ControlFiles } from '../files/control-files.ts';

/** A program as it is started: an argument list, no shell. */
export interface ProgramStart {
  /** A name on the PATH of `env`, or a path. */
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
}

/** Files that decide what other programs do, and that the program of a tool may write only where its definition says so. */
export type WriteGrant = 'git' | 'packages';

/** The tool whose program is started, and its rights. */
export interface LaunchFacts {
  readonly tool: Tool;
  readonly controlFiles: ControlFiles;
  /** True where the definition opens the network to the program (`execution.network`). */
  readonly network: boolean;
  /** `execution.writes` of the definition. */
  readonly writes: readonly WriteGrant[];
  /** Absolute paths of files and folders that the program reads beside those of its tool, such as the script that it runs. */
  readonly reads: readonly string[];
}

/** How a program ended, or one call of a program that serves several. */
export interface ProgramEnd {
  /** Undefined when a signal ended it, or when it goes on. */
  readonly exitCode: number | undefined;
  /** Standard output and standard error, as far as they are kept, or the error of the call. */
  readonly text: string;
}

/** The program that is really spawned. */
export interface LaunchedProgram extends ProgramStart {
  /** Text that the spawned program reads from its descriptor 4, to the end. */
  readonly instructions?: string;
  /** Differs where the rights differ: calls share a running program only where it is the same. */
  readonly key: string;
  /** Called once for each call, when the program has ended or answered. Returns a sentence for the caller, or undefined. */
  ended(end: ProgramEnd): Promise<string | undefined>;
}

/**
 * Decides how programs of tools are started, such as in a sandbox. Asked before each start. It throws where the program must not be started:
 * there is no way around it.
 */
export type Launcher = (start: ProgramStart, facts: LaunchFacts) => Promise<LaunchedProgram>;

/** The launcher of one kernel: set by at most one plugin, read by all that start programs of tools. */
export class ProgramLauncher {
  #current: Launcher | undefined;

  /** Sets it, where one is given; `own` throws where another plugin has. Returns what reads it: undefined where no plugin has set one. */
  use(launcher: Launcher | undefined, own: () => void): () => Launcher | undefined {
    if (launcher !== undefined) {
      own();
      this.#current = launcher;
    }
    return () => this.#current;
  }
}

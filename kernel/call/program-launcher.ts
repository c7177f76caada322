import type { Tool } from '../definition/schema/tool.ts';
import type { ControlFiles } from '../files/control-files.ts';

/** The start of a program: an argument list, no shell. */
export interface ProgramStart {
  /** A name on the PATH of `env`, or a path. */
  readonly program: string;
  readonly args: readonly string[];
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The absolute working directory. */
  readonly cwd: string;
}

/** Files that affect other programs. A tool's program may write them only if its definition declares so. */
export type WriteGrant = 'git' | 'packages';

/** The tool whose program is started, or the server of a source, and its rights. */
export interface LaunchFacts {
  readonly tool: Pick<Tool, 'name' | 'origin'>;
  readonly controlFiles: ControlFiles;
  /** True when the definition allows network access (`execution.network`). */
  readonly network: boolean;
  /** `execution.writes` of the definition. */
  readonly writes: readonly WriteGrant[];
  /** Absolute paths that the program reads besides those of its tool, such as its script. */
  readonly reads: readonly string[];
}

/** The end of a program, or of one call to a program that serves several. */
export interface ProgramEnd {
  /** The exit code. Undefined after a signal, or when the program goes on. */
  readonly exitCode: number | undefined;
  /** The captured standard output and standard error, or the error of the call. */
  readonly text: string;
}

/** The program to spawn. */
export interface LaunchedProgram extends ProgramStart {
  /** Text that the spawned program reads from its descriptor 4, to the end. */
  readonly instructions?: string;
  /** A key for the rights: calls share a running program only if their keys are equal. */
  readonly key: string;
  /** Runs once for each call, when the program has ended or answered. Returns a sentence for the caller, or undefined. */
  ended(end: ProgramEnd): Promise<string | undefined>;
}

/**
 * Prepares the start of a tool's program, such as in a sandbox. Runs before each start. On throw: the program is not started,
 * without exception.
 */
export type Launcher = (start: ProgramStart, facts: LaunchFacts) => Promise<LaunchedProgram>;

/** The launcher of one kernel: set by at most one plugin, read by every executor of programs. */
export class ProgramLauncher {
  #current: Launcher | undefined;

  /** Sets the launcher, if given; `own` throws when another plugin has set one. Returns a reader: undefined when none is set. */
  use(launcher: Launcher | undefined, own: () => void): () => Launcher | undefined {
    if (launcher !== undefined) {
      own();
      this.#current = launcher;
    }
    return () => this.#current;
  }
}

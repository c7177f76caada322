import {
  type CallContext,
  type ControlFiles,
  excerpt,
  messageOf,
  type OutboundAddresses,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { resolveCode } from '../shared/code/code-module.ts';
import { LoadedFunctions } from '../shared/code/loaded-functions.ts';
import type { Invocation } from './invocation.ts';

/** A run that ended by itself. */
export interface ProgramRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The same program once more, with other arguments; environment, folder, limits and cancellation as in the run itself. */
export type RunAgain = (args: readonly string[], options?: { readonly stdin?: string }) => Promise<ProgramRun>;

interface Surroundings {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly run: RunAgain;
  /** What tools must leave alone: to be asked for each path that is no parameter, such as a name that the program lists. */
  readonly controlFiles: ControlFiles;
}

interface Reach {
  /** For a program that opens connections: where it may connect. Throws OUTBOUND_BLOCKED. */
  readonly addressesOf: OutboundAddresses;
}

/** What a `prepare` module exports: what of the invocation it wants otherwise, before the program runs. Its `run` has the invocation as written. */
export type Preparer = (invocation: Invocation, around: Surroundings & Reach) => Partial<Invocation> | Promise<Partial<Invocation>>;

/** What a `parse` module exports: turns the standard output of a successful run into the tool's output. */
export type OutputParser = (stdout: string, run: Surroundings & Omit<ProgramRun, 'stdout'>) => unknown;

type Key = 'prepare' | 'parse';

/** The modules that definitions of commands name. */
export class CommandModules {
  readonly #loaded = {
    prepare: new LoadedFunctions<unknown>(['default', 'prepare']),
    parse: new LoadedFunctions<unknown>(['default', 'parse']),
  };

  /** The next calls import their modules anew. */
  forget(): void {
    this.#loaded.prepare.forget();
    this.#loaded.parse.forget();
  }

  /** Runs the function of a module that a definition names. Throws what it throws as a ToolkitError, TOOL_INVALID when it is gone. */
  async call<F extends (...given: never[]) => unknown>(
    key: Key,
    name: string,
    tool: Tool,
    mask: CallContext['mask'],
    given: Parameters<F>,
  ): Promise<Awaited<ReturnType<F>>> {
    const reference = resolveCode(name, tool.origin.directory ?? '.');
    if (reference === undefined) throw new ToolkitError('TOOL_INVALID', `The module "${name}" (${key}) of "${tool.name}" is gone.`);
    const run = (await this.#loaded[key].load(reference)) as F;
    try {
      return (await run(...given)) as Awaited<ReturnType<F>>;
    } catch (error) {
      if (ToolkitError.is(error)) throw error;
      throw failure(key, name, tool, excerpt(mask(messageOf(error))), error);
    }
  }
}

function failure(key: Key, name: string, tool: Tool, words: string, cause: unknown): ToolkitError {
  return key === 'parse'
    ? new ToolkitError(
        'OUTPUT_INVALID',
        `The output parser "${name}" of "${tool.name}" failed: ${words}. Correct the parser, or what the program prints.`,
        {},
        { cause },
      )
    : new ToolkitError(
        'EXECUTION_FAILED',
        `The preparation "${name}" of "${tool.name}" failed: ${words}. The program did not run.`,
        {},
        { cause },
      );
}

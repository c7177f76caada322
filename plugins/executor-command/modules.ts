import {
  type Call,
  type CallContext,
  type CallIdentity,
  type CodeCheck,
  type ControlFiles,
  excerpt,
  type IdentityPart,
  messageOf,
  type Origin,
  type OutboundAddresses,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import type { DeclaredIdentity } from '../shared/approval/declared-identity.ts';
import { type CodeReference, resolveCode } from '../shared/code/code-module.ts';
import { functionIssues } from '../shared/code/code-outline.ts';
import { codeChangedError, LoadedFunctions } from '../shared/code/loaded-functions.ts';
import { moduleExports } from '../shared/code/module-exports.ts';
import type { CommandExecution } from './execution.ts';
import type { Invocation } from './invocation.ts';

/** A program run that ended by itself. */
export interface ProgramRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs the same program again with other arguments. `env` is added; folder, limits and cancellation stay the same. */
export type RunAgain = (
  args: readonly string[],
  options?: { readonly stdin?: string; readonly env?: Readonly<Record<string, string>> },
) => Promise<ProgramRun>;

interface ModuleContext {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly run: RunAgain;
  /** The files that tools must leave alone. Check each path that is not a parameter, such as a name that the program lists. */
  readonly controlFiles: ControlFiles;
  /** The space for the output, as for functions. */
  readonly output: CallContext['output'];
  /** The identity that a person approved, if one was asked. A module acts on exactly that, such as one commit. */
  readonly identity?: CallIdentity;
}

interface NetworkContext {
  /** Resolves a host to the addresses that a program may connect to. Throws OUTBOUND_BLOCKED. */
  readonly addressesOf: OutboundAddresses;
}

/** The members of an invocation that a `prepare` module changes. */
export interface Prepared extends Partial<Invocation> {
  /** A run made by the module's `run`. It replaces the run of the program, which does not start again. */
  readonly ran?: ProgramRun;
}

/**
 * The function of a `prepare` module. It runs before the program and returns the members of the invocation to change. `run`
 * uses the unchanged invocation.
 */
export type Preparer = (invocation: Invocation, context: ModuleContext & NetworkContext) => Prepared | Promise<Prepared>;

interface RunArguments {
  /** The arguments of the run. */
  readonly args: readonly string[];
}

/** The function of a `parse` module: turns the standard output of a successful run into the tool's output. */
export type OutputParser = (stdout: string, run: ModuleContext & RunArguments & Omit<ProgramRun, 'stdout'>) => unknown;

/**
 * The function of an `identify` module: finds out what the call will reach, for the person who is asked. Gets the same
 * arguments as `prepare`.
 */
export type Identifier = (invocation: Invocation, context: ModuleContext & NetworkContext) => DeclaredIdentity | Promise<DeclaredIdentity>;

const keys = ['prepare', 'identify', 'parse'] as const;

type Key = (typeof keys)[number];

/** Returns the exports that are tried for a key, in this order, where the reference names none. */
function exportNames(key: Key): readonly string[] {
  return ['default', key];
}

/** Returns issues for functions that an execution names and its files do not define. */
export async function checkCode(execution: CommandExecution, origin: Origin): Promise<CodeCheck> {
  const references = keys.flatMap((key) =>
    execution[key]?.startsWith('.') === true ? [{ key, code: execution[key], fallback: exportNames(key) }] : [],
  );
  const found = await Promise.all(references.map((reference) => functionIssues(reference, origin, moduleExports)));
  return { issues: found.flat() };
}

/** The modules that definitions of command tools name. */
export class CommandModules {
  readonly #loaded = {
    prepare: new LoadedFunctions<unknown>(exportNames('prepare')),
    identify: new LoadedFunctions<unknown>(exportNames('identify')),
    parse: new LoadedFunctions<unknown>(exportNames('parse')),
  };

  /** Makes later calls import their modules anew. */
  forget(): void {
    for (const key of keys) this.#loaded[key].forget();
  }

  /**
   * Returns the identity of the modules that act on a tool's runs: their files, and the state of the code that would run.
   * Undefined when it has none.
   */
  async identify({ prepare, parse }: CommandExecution, tool: Tool): Promise<IdentityPart | undefined> {
    const named = Object.entries({ prepare, parse }).flatMap(([key, name]) => (name?.startsWith('.') ? [[key as Key, name] as const] : []));
    if (named.length === 0) return undefined;
    const files = named.map(([key, name]) => [key, moduleOf(key, name, tool).file] as const);
    const states = await Promise.all(files.map(([key, file]) => this.#loaded[key].stateOf(file)));
    return { shown: [...new Set(files.map(([, file]) => file))].join(', '), state: states.join(' ') };
  }

  /** Loads the modules of an approved call. Throws APPROVAL_DENIED when they differ from the approved ones. */
  async loadApproved(execution: CommandExecution, { tool, identity }: Call): Promise<void> {
    const approved = identity?.code;
    if (approved === undefined) return;
    for (const key of ['prepare', 'parse'] as const) {
      const name = execution[key];
      if (name?.startsWith('.')) await this.#loaded[key].load(moduleOf(key, name, tool));
    }
    if ((await this.identify(execution, tool))?.state !== approved.state) throw codeChangedError(approved.shown);
  }

  /**
   * Runs the function of a module that a definition names. Turns its errors into ToolkitErrors; throws TOOL_INVALID when the
   * module is gone.
   */
  async call<F extends (...args: never[]) => unknown>(
    key: Key,
    name: string,
    tool: Tool,
    mask: CallContext['mask'],
    args: Parameters<F>,
  ): Promise<Awaited<ReturnType<F>>> {
    const run = (await this.#loaded[key].load(moduleOf(key, name, tool))) as F;
    try {
      return (await run(...args)) as Awaited<ReturnType<F>>;
    } catch (error) {
      if (ToolkitError.is(error)) throw error;
      throw failure(key, name, tool, excerpt(mask(messageOf(error))), error);
    }
  }
}

function moduleOf(key: Key, name: string, tool: Tool): CodeReference {
  const reference = resolveCode(name, tool.origin.directory ?? '.');
  if (reference !== undefined) return reference;
  throw new ToolkitError('TOOL_INVALID', `The module "${name}" (${key}) of "${tool.name}" is gone. Restore it, then try again.`);
}

function failure(key: Key, name: string, tool: Tool, detail: string, cause: unknown): ToolkitError {
  return key === 'parse'
    ? new ToolkitError(
        'OUTPUT_INVALID',
        `The output parser "${name}" of "${tool.name}" failed: ${detail}. Correct the parser, or what the program prints.`,
        {},
        { cause },
      )
    : new ToolkitError(
        'EXECUTION_FAILED',
        `The ${key === 'prepare' ? 'preparation' : 'module of "identify"'} "${name}" of "${tool.name}" failed: ${detail}. The program did not run.`,
        {},
        { cause },
      );
}

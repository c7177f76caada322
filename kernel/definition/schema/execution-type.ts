import type { TSchema } from 'typebox';
import { type Issue, ToolkitError } from '../../errors.ts';
import type { CredentialNeed } from './credentials.ts';
import type { Origin } from './origin.ts';
import type { Parameter } from './parameter.ts';
import type { PinnedCode } from './pinned-code.ts';
import type { Position } from './problem.ts';
import type { ExactIntegers, Provider, Tool } from './tool.ts';
import type { Risk, ToolAnnotations, ToolDefinition } from './tool-definition.ts';

/** The `execution` of a definition: the keys of its type, and the two common ones. */
export type Execution<T> = T & Pick<ToolDefinition['execution'], 'type' | 'timeout_ms'>;

/** An issue in a code file of a definition; `place` has its location. */
export interface CodeIssue extends Issue {
  readonly place?: { readonly file: string; readonly position?: Position };
}

export interface CodeCheck {
  readonly issues: readonly CodeIssue[];
  /** The reason why some code was not checked, such as a missing program. Not an issue of the definition. */
  readonly unchecked?: string;
}

/** An `execution.type`, as described by its executor plugin. `T`: the type of its schema. */
export interface ExecutionType<T = unknown> {
  /** Schema of the keys of `execution`, except `type` and `timeout_ms`. */
  readonly schema: TSchema;
  /** Returns the risk of a tool without a declared one. @default 'high' */
  risk?(execution: Execution<T>): Risk;
  /** Returns annotations about the execution's effects. `readOnlyHint: false` and `destructiveHint: true` take precedence over a low risk. */
  annotations?(execution: Execution<T>): ToolAnnotations;
  /** True when tools of this type have effects only by requests of `context.fetch`. @default false */
  readonly actsByFetch?: boolean;
  /** True when tools of this type may be `pure`: they run without network, files and programs. @default false */
  readonly canBePure?: boolean;
  /** Returns true when the executor accepts file texts as `AsyncIterable<string>`, for `streamed` parameters. @default false */
  canStream?(execution: Execution<T>): boolean;
  /**
   * Returns the support for integers beyond ±(2^53−1), which are digit texts internally. `takes`: integer and number parameters may be
   * digit texts. `gives`: output integers may be; the listed output schema says so. @default neither, except for `format: int64` in a schema
   */
  exactIntegers?(execution: Execution<T>): ExactIntegers;
  /** Returns the execution with the provider's additions (base URL, headers). */
  complete?(execution: Execution<T>, provider: Provider): Execution<T>;
  /** Finds issues that the schema cannot express. */
  check?(execution: Execution<T>, origin: Origin, names: KnownNames): readonly Issue[];
  /** Finds issues with the execution's files, such as a missing one. Runs at every start. */
  checkFiles?(execution: Execution<T>, origin: Origin): readonly Issue[];
  /**
   * Finds issues inside the execution's code, such as a function missing from its file. The code is parsed, never run. For
   * authors: runs in `validate` and `dev`, not at a start. Also reports remarks for authors only.
   */
  checkCode?(execution: Execution<T>, origin: Origin, tool: Pick<Tool, 'definition' | 'parameters' | 'credentials'>): Promise<CodeCheck>;
  /** Returns absolute paths of the code files that the tool runs. A changed file counts as a changed tool. @default none */
  files?(execution: Execution<T>, origin: Origin): readonly string[];
  /**
   * Finds the code that runs with `files`: imports, scripts in arguments, manifests. Files that only the operator or an installation
   * writes are left out. `reads`: a cache for all tools of one discovery, under keys of the type's own. @default none
   */
  pinned?(execution: Execution<T>, origin: Origin, reads: Map<string, unknown>): PinnedCode;
  /**
   * Returns alternatives, such as authentication methods, each as the placeholders that only it needs. The first one with all values is used, so none of
   * the placeholders is required. A name used elsewhere in the execution is left out. @default none
   */
  alternatives?(execution: Execution<T>): readonly (readonly string[])[];
  /** Returns placeholder names that the executor computes from parameters. */
  derives?(execution: Execution<T>): readonly string[];
  /**
   * Fingerprint of the code of these functions. If given, link results are cached, also for later processes. Then all functions except
   * `checkFiles`, `files` and `pinned` must depend only on their arguments.
   * @default definitions of this type are linked at every start
   */
  readonly fingerprint?: string | undefined;
}

/** Reads the `execution` of tools of one type, typed by its schema. */
export interface ExecutionReader<T> {
  /** Returns the tool's execution. Throws EXECUTOR_NOT_FOUND for a tool of another type. */
  of(tool: Pick<Tool, 'execution'>): Execution<T>;
}

export function executionReader<T>(type: string): ExecutionReader<T> {
  return {
    of: ({ execution }) => {
      if (execution.type === type) return execution as unknown as Execution<T>;
      throw new ToolkitError('EXECUTOR_NOT_FOUND', `An execution of type "${execution.type}" was read as one of type "${type}".`);
    },
  };
}

/** A definition together with its provider, for checks. */
export interface DefinitionContext extends Pick<Tool, 'definition' | 'execution' | 'annotations'> {
  /** The declared parameters, including those of an `input_schema`. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly credentials: readonly CredentialNeed[];
  readonly provider?: Provider;
}

/** Names to which an execution may refer. */
export interface KnownNames {
  readonly parameters: readonly string[];
  /** The parameters with their declarations. */
  readonly declared: Readonly<Record<string, Parameter>>;
  readonly encodings: readonly string[];
  /** Placeholders of secrets, by name or by declaration. Account ids and hosts that the service supplies are none. */
  readonly credentials: readonly string[];
}

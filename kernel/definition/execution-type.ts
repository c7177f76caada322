import type { TSchema } from 'typebox';
import { type Issue, ToolkitError } from '../errors.ts';
import type { Origin } from './check-definition.ts';
import type { CredentialNeed } from './credentials.ts';
import type { Parameter } from './parameter.ts';
import type { PinnedCode } from './pinned-code.ts';
import type { Position } from './problem.ts';
import type { ExactIntegers, Provider, Tool } from './tool.ts';
import type { Risk, ToolAnnotations, ToolDefinition } from './tool-definition.ts';

/** What a definition writes under `execution`: the keys of its type, beside the two that every type has. */
export type Execution<T> = T & Pick<ToolDefinition['execution'], 'type' | 'timeout_ms'>;

/** An issue of a definition that lies in a file of its code, where `place` says so. */
export interface CodeIssue extends Issue {
  readonly place?: { readonly file: string; readonly position?: Position };
}

export interface CodeCheck {
  readonly issues: readonly CodeIssue[];
  /** Why some code was not looked at, such as a program that is not installed. No fault of the definition. */
  readonly unchecked?: string;
}

/** What an executor plugin says about its `execution.type`. `T`: what its schema describes. */
export interface ExecutionType<T = unknown> {
  /** Schema of the keys of `execution` beside `type` and `timeout_ms`. */
  readonly schema: TSchema;
  /** Risk of a tool that declares none. @default 'high' */
  risk?(execution: Execution<T>): Risk;
  /** What the execution says about its effects. `readOnlyHint: false` and `destructiveHint: true` win over a low risk. */
  annotations?(execution: Execution<T>): ToolAnnotations;
  /** Tools of this type may say `pure`: what they run can do without network, files and programs. @default false */
  readonly canBePure?: boolean;
  /** Takes texts of files as an `AsyncIterable<string>`, for parameters that say `streamed`. @default false */
  canStream?(execution: Execution<T>): boolean;
  /**
   * Its part in integers beyond ±(2^53−1), which are texts of their digits inside. `takes`: parameters of type integer and number may be
   * such texts. `gives`: integers of its output may be, and its output schema is listed so. @default neither, save where a schema says `format: int64`
   */
  exactIntegers?(execution: Execution<T>): ExactIntegers;
  /** The execution with what the provider adds to it (base URL, headers). */
  complete?(execution: Execution<T>, provider: Provider): Execution<T>;
  /** What the schema cannot say. */
  check?(execution: Execution<T>, origin: Origin, names: KnownNames): readonly Issue[];
  /** What is wrong with files that the execution names, such as one that is missing. Runs at every start. */
  checkFiles?(execution: Execution<T>, origin: Origin): readonly Issue[];
  /**
   * What is wrong inside of the code that the execution names, such as a function that is not in its file. It is read and parsed, never run. For
   * authors: `validate` and `dev` ask, a start does not. Also what else only an author needs to hear of the execution of this tool.
   */
  checkCode?(execution: Execution<T>, origin: Origin, tool: Pick<Tool, 'definition' | 'parameters' | 'credentials'>): Promise<CodeCheck>;
  /** Absolute paths of the code that the tool runs and that may change beside its definition. A change of it is one of the tool. @default none */
  files?(execution: Execution<T>, origin: Origin): readonly string[];
  /**
   * Finds the code that runs with `files`: what they import, scripts in arguments, manifests. Files that only the operator or an installation
   * writes are left out. `reads`: what was read for other tools of the same discovery, under keys of the type's own. @default none
   */
  pinned?(execution: Execution<T>, origin: Origin, reads: Map<string, unknown>): PinnedCode;
  /**
   * Ways to do the same, such as to prove who calls, each by the placeholders that it alone needs: the first that has all of its values is taken, so none of
   * them is required by itself. A name that stands elsewhere in the execution as well is left out. @default none
   */
  alternatives?(execution: Execution<T>): readonly (readonly string[])[];
  /** Placeholder names that the executor computes itself from parameters. */
  derives?(execution: Execution<T>): readonly string[];
  /**
   * Names the code of these functions, another text when any of it may be another. Where it is given, what linking a definition gave may be used
   * again, by this process and by later ones: all of them but `checkFiles`, `files` and `pinned` must look at nothing beside what they are given.
   * @default definitions of this type are linked at every start
   */
  readonly fingerprint?: string | undefined;
}

/** Reads the `execution` of tools of one type, as the schema of that type describes it. */
export interface ExecutionReader<T> {
  /** Throws EXECUTOR_NOT_FOUND for a tool of another type. */
  read(tool: Pick<Tool, 'execution'>): Execution<T>;
}

export function executionReader<T>(type: string): ExecutionReader<T> {
  return {
    read: ({ execution }) => {
      if (execution.type === type) return execution as unknown as Execution<T>;
      throw new ToolkitError('EXECUTOR_NOT_FOUND', `An execution of type "${execution.type}" was read as one of type "${type}".`);
    },
  };
}

/** What a definition means together with its provider, for checks. */
export interface DefinitionContext extends Pick<Tool, 'definition' | 'execution' | 'annotations'> {
  /** The declared ones, also those of an `input_schema`. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly credentials: readonly CredentialNeed[];
  readonly provider?: Provider;
}

/** Names that an execution may refer to. */
export interface KnownNames {
  readonly parameters: readonly string[];
  /** The same with what is said of them. */
  readonly declared: Readonly<Record<string, Parameter>>;
  readonly encodings: readonly string[];
  /** Placeholders that stand for secrets, by their name or because they say so; not account ids and hosts that the service supplies. */
  readonly credentials: readonly string[];
}

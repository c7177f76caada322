import type { ContentPart, CutOutput } from '../client/content.ts';
import type { Tool } from '../definition/schema/tool.ts';
import type { ToolkitError } from '../errors.ts';
import type { JsonValue } from '../json/json.ts';

export interface ExecutionResult {
  readonly output: unknown;
  /** Content shown instead of the output's text, if the host can show it. */
  readonly content?: readonly ContentPart[];
  /** Data sent instead of the output, when the output is too long for a model. */
  readonly structured?: CutOutput;
  /**
   * Facts about the run, such as an HTTP status. `isStructured: true`: the output is the structured content of an MCP result, whatever
   * `output_schema` says. `_meta`: that of the MCP result. `account`: names of the accounts that were used, by provider; the kernel adds those of
   * sources (`CredentialSource`).
   */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The result for the caller: JSON, secrets masked. */
export interface CallOutput {
  readonly callId: string;
  /** The tool at the time of the call. */
  readonly tool: Tool;
  readonly output: JsonValue;
  readonly content?: readonly ContentPart[];
  readonly structured?: CutOutput;
  readonly meta: Readonly<Record<string, unknown>>;
  /** The error behind a failure for which the tool has its own output (`failure_output`). */
  readonly error?: ToolkitError;
}

import type { JsonObject } from '../../../kernel/index.ts';
import type { Operation, SkippedOperation } from '../operations/operation.ts';
import type { ToolParameter } from './tool-parameters.ts';

/** The tools of a source, ready for its listing. */
export interface GeneratedSource {
  /** The provider definition, named like the source: `$defs`, `parameter_mapping`, `auth`, `oauth2`. */
  readonly provider: JsonObject;
  readonly tools: readonly GeneratedTool[];
  readonly skipped: readonly SkippedOperation[];
  /** Names that a person has to set, as `parameter_mapping` has them. */
  readonly needs: readonly NeededName[];
  /** Origins such as `https://api.box.com` to which tools send. Those with placeholders: as they are with the defaults. */
  readonly hosts: readonly string[];
  readonly notes: readonly string[];
}

export interface GeneratedTool {
  /** The tool definition, as a YAML file could have it; `$ref` leads to `$defs` of the provider. */
  readonly definition: JsonObject;
  readonly operation: Operation;
  /** The parameters, with the parts of the request that they fill. */
  readonly parameters?: readonly ToolParameter[];
  /** Losses and proposals about this operation, for people. */
  readonly notes: readonly string[];
}

export interface NeededName {
  readonly name: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  readonly description: string;
}

import type { JsonSchema } from '../schema/json.ts';
import type { Origin } from './check-definition.ts';
import type { CredentialNeed } from './credentials.ts';
import type { Parameter } from './parameter.ts';
import type { CodeFile } from './pinned-code.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import type { Risk, ToolAnnotations, ToolDefinition } from './tool-definition.ts';

export interface Provider {
  readonly name: string;
  readonly definition: ProviderDefinition;
  readonly origin: Origin;
}

/** Says of an executor whether it takes, and gives, integers beyond ±(2^53−1) as texts of their digits. */
export interface ExactIntegers {
  readonly takes: boolean;
  readonly gives: boolean;
}

/** A tool as the registry holds it: checked, joined with its provider, ready to run. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly definition: ToolDefinition;
  readonly execution: ToolDefinition['execution'];
  readonly provider?: Provider;
  readonly risk: Risk;
  /** Derived from risk, execution and approval; what the definition says comes first. */
  readonly annotations: ToolAnnotations;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Schema of the caller's parameters, without credentials. */
  readonly inputSchema: JsonSchema;
  /** Schema of the output, with texts of digits where it may hold integers beyond ±(2^53−1). */
  readonly outputSchema?: JsonSchema | undefined;
  /** @default neither, save where a schema says `format: int64` */
  readonly exactIntegers?: ExactIntegers | undefined;
  readonly credentials: readonly CredentialNeed[];
  readonly origin: Origin;
  /** sha256 of the definition, hex: an approval is bound to it. */
  readonly hash: string;
  /** The code that the tool runs as it was when the tool was linked; undefined where no tool could write it, as that of this program and of packages. */
  readonly code?: readonly CodeFile[] | undefined;
  /** What `derivation` makes of this tool, perhaps kept from an earlier start; then it has been a JSON text in between. */
  derived?<T>(derivation: Derivation<T>): T;
}

/**
 * Something that follows from a tool and nothing else, and is needed of every tool, such as how it is listed. What plugins name at discovery
 * (`sink.derive`) is kept with the linked forms of tools.
 */
export interface Derivation<T = unknown> {
  readonly name: string;
  /** Names the code of `of`, another text when it may be another. @default nothing is kept */
  readonly fingerprint?: string | undefined;
  /** A few bytes that are asked of all tools at once: kept where a start reads them anyway. @default false */
  readonly isSmall?: boolean;
  /** A JSON value. */
  of(tool: Tool): T;
}

/** A tool, or the name of a definition that was refused. */
export type MaybeTool = Pick<Tool, 'name'> & Partial<Tool>;

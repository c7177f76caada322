import type { JsonSchema } from '../../json/json.ts';
import type { CredentialNeed } from './credentials.ts';
import type { Origin } from './origin.ts';
import type { Parameter } from './parameter.ts';
import type { CodeFile } from './pinned-code.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import type { Risk, ToolAnnotations, ToolDefinition } from './tool-definition.ts';

export interface Provider {
  readonly name: string;
  readonly definition: ProviderDefinition;
  readonly origin: Origin;
  /** Digest of the definition, from a cache. @default computed on first use */
  readonly hash?: string;
  /** Members that the operator wrote over those of a definition, such as `base_url` and `oauth2.token_url`. @default nothing is written over */
  readonly overridden?: Overridden;
}

/** The operator's part in a definition. */
export interface Overridden {
  readonly members: readonly string[];
  /** Trust in the other members: that of the definition as it was found. */
  readonly trust: Origin['trust'];
}

/** True for a member that the operator wrote: its addresses may be private. `member`: such as `oauth2.token_url`. */
export function isOperatorsMember({ origin, overridden }: Provider, member: string): boolean {
  if (overridden === undefined) return origin.trust === 'operator';
  return overridden.trust === 'operator' || overridden.members.includes(member);
}

/** An executor's support for integers beyond ±(2^53−1), as digit texts. */
export interface ExactIntegers {
  readonly takes: boolean;
  readonly gives: boolean;
}

/** A registered tool: checked, joined with its provider, ready to run. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly definition: ToolDefinition;
  readonly execution: ToolDefinition['execution'];
  readonly provider?: Provider;
  readonly risk: Risk;
  /** Annotations derived from risk, execution and approval. The definition's own ones take precedence. */
  readonly annotations: ToolAnnotations;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Schema of the caller's parameters, without credentials. */
  readonly inputSchema: JsonSchema;
  /** Schema of the output, with digit texts for integers beyond ±(2^53−1). */
  readonly outputSchema?: JsonSchema | undefined;
  /** Support for exact integers. @default neither, except for `format: int64` in a schema */
  readonly exactIntegers?: ExactIntegers | undefined;
  readonly credentials: readonly CredentialNeed[];
  readonly origin: Origin;
  /** Hash of the definition (sha256, hex). An approval is bound to it. */
  readonly hash: string;
  /** The code files of the tool when it was linked. Undefined for code that no tool can write, such as that of this program and of packages. */
  readonly code?: readonly CodeFile[] | undefined;
  /** Returns the value of `derivation` for this tool. It may be cached from an earlier start, and has then passed through JSON. */
  derived?<T>(derivation: Derivation<T>): T;
}

/**
 * A value computed from a tool alone and needed for every tool, such as its listing. Derivations declared at discovery
 * (`sink.derive`) are cached with the link results of tools.
 */
export interface Derivation<T = unknown> {
  readonly name: string;
  /** Fingerprint of the code of `of`. @default the value is not cached */
  readonly fingerprint?: string | undefined;
  /** True for a few bytes that are needed for all tools at once: cached with the data that every start reads. @default false */
  readonly isSmall?: boolean;
  /** Computes the value, which must be JSON. */
  of(tool: Tool): T;
}

/** A tool, or only the name of a refused definition. */
export type MaybeTool = Pick<Tool, 'name'> & Partial<Tool>;

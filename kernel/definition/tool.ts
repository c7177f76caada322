import type { JsonSchema } from '../schema/json.ts';
import type { Origin } from './check-written.ts';
import type { CredentialNeed } from './credentials.ts';
import type { Parameter } from './parameter.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import type { Risk, ToolAnnotations, ToolDefinition } from './tool-definition.ts';

export interface Provider {
  readonly name: string;
  readonly definition: ProviderDefinition;
  readonly origin: Origin;
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
  readonly outputSchema?: JsonSchema | undefined;
  readonly credentials: readonly CredentialNeed[];
  readonly origin: Origin;
  /** sha256 of the definition, hex: an approval is bound to it. */
  readonly hash: string;
}

/** A tool, or the name of a definition that was refused. */
export type MaybeTool = Pick<Tool, 'name'> & Partial<Tool>;

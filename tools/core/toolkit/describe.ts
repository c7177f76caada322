import type { Tool } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { providerOf } from '../../../plugins/shared/exposure/provider-of.ts';

type JsonObject = Readonly<Record<string, unknown>>;

interface Description {
  readonly name: string;
  readonly description: string;
  readonly version: string | null;
  readonly provider: string;
  readonly risk: string;
  readonly requires_approval: boolean | JsonObject;
  readonly required_scopes: readonly string[];
  readonly needs: readonly string[];
  readonly annotations: JsonObject;
  readonly tags: readonly string[];
  readonly input_schema: JsonObject;
  readonly output_schema: JsonObject | null;
  readonly example: JsonObject | null;
}

/** What a caller needs to know to call a tool. Of its execution it shows nothing, of its credentials the names of those that are missing. */
export async function getTool({ name }: { readonly name: string }, { tools }: FunctionContext): Promise<Description> {
  const tool = tools.get(name);
  return describe(tool, (await tools.missingSecrets([name])).get(name) ?? []);
}

function describe(tool: Tool, needs: readonly string[]): Description {
  const { definition } = tool;
  const [example] = definition.examples ?? [];
  return {
    name: tool.name,
    description: tool.description,
    version: definition.version ?? null,
    provider: providerOf(tool),
    risk: tool.risk,
    requires_approval: definition.requires_approval ?? false,
    required_scopes: definition.authentication?.required_scopes ?? [],
    needs,
    annotations: tool.annotations,
    tags: definition.tags ?? [],
    input_schema: tool.inputSchema,
    output_schema: tool.outputSchema ?? null,
    example: example?.parameters ?? null,
  };
}

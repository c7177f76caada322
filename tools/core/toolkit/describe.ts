import type { Tool } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { providerOf } from '../../../plugins/shared/exposure/provider-of.ts';
import { toolText } from '../../../plugins/shared/exposure/written-out/listed-input.ts';

/** Maximum UTF-16 units of the words of a source. */
const maxForeign = 10_000;

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

/** Describes a tool for a caller. Leaves out its execution, and shows only the names of missing credentials. */
export async function getTool({ name }: { readonly name: string }, { tools }: FunctionContext): Promise<Description> {
  const tool = tools.get(name);
  return describe(tool, (await tools.missingSecrets([name])).get(name) ?? []);
}

function describe(tool: Tool, needs: readonly string[]): Description {
  const { definition } = tool;
  const [example] = definition.examples ?? [];
  return {
    name: tool.name,
    description: toolText(tool, maxForeign),
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

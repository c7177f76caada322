import { excerpt, isPlainObject, type JsonObject } from '../../../kernel/index.ts';
import { normalizeInputSchema, normalizeOutputSchema } from '../schemas/normalize-schema.ts';
import type { ServerSettings } from '../settings.ts';
import { itemDigest } from './item-digest.ts';
import { listedMembers } from './listed-members.ts';
import { toolRisk } from './tool-risk.ts';

export interface DefinedTool {
  readonly definition: JsonObject;
  /** Changes that this program made so that the tool can be used. */
  readonly notes: readonly string[];
}

export interface DefineOptions {
  readonly settings: ServerSettings;
  /** The name of the tool here, without the prefix. */
  readonly name: string;
  readonly isAcceptedReadOnly: boolean;
}

/** Returns the definition of a tool of a server, or the reason why it cannot be taken. */
export function toolDefinition(tool: JsonObject, { settings, name, isAcceptedReadOnly }: DefineOptions): DefinedTool | string {
  const { name: original, description, inputSchema, outputSchema, title, icons, _meta, annotations } = tool;
  if (typeof original !== 'string' || original === '') return 'has no name';
  if (/[{}]/.test(original)) return 'has braces in its name, which stand for values here';
  const input = normalizeInputSchema(inputSchema);
  if (input.refusal !== undefined) return `has an input schema that ${input.refusal}`;
  const output = outputSchema === undefined || settings.outputSchemas === 'off' ? undefined : normalizeOutputSchema(outputSchema);
  // Without its schema the result is taken as it is.
  const left = output?.refusal === undefined ? [] : [`its output schema is left out, because it ${output.refusal}`];
  const { overrides = {} } = settings.tools ?? {};
  const override = Object.hasOwn(overrides, original) ? overrides[original] : undefined;
  const risk = toolRisk(tool, settings, override, isAcceptedReadOnly);
  const claimed = isPlainObject(annotations) ? annotations : {};
  const shownTitle = override?.title ?? [title, claimed['title']].find((text) => typeof text === 'string' && text !== '');
  const text =
    typeof description === 'string' && description.trim() !== ''
      ? description
      : `The tool "${excerpt(original, 60)}" of the MCP server "${settings.name}", which describes nothing.`;
  const claims = settings.trustAnnotations === true || Object.keys(claimed).length === 0 ? {} : { claimed_annotations: claimed };
  const definition = {
    name,
    description: override?.description ?? text,
    input_schema: input.schema,
    execution: {
      type: 'upstream',
      tool: original,
      digest: itemDigest(tool),
      ...claims,
      ...(settings.timeoutMs === undefined ? {} : { timeout_ms: settings.timeoutMs }),
    },
    ...(output?.schema === undefined
      ? {}
      : { output_schema: output.schema, output_check: settings.outputSchemas === 'strict' ? 'error' : 'warn' }),
    ...risk,
    annotations: { ...risk.annotations, ...(shownTitle === undefined ? {} : { title: shownTitle as string }) },
    'x-mcp': {
      verbatim: true,
      ...listedMembers(tool, risk.annotations, override?.title),
      ...(icons === undefined ? {} : { icons }),
      ...(_meta === undefined ? {} : { _meta }),
    },
  };
  return {
    definition: definition as unknown as JsonObject,
    notes: [...input.notes, ...(output?.refusal === undefined ? (output?.notes ?? []) : left)],
  };
}

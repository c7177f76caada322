import { type ApprovalProof, approvedArgument, type Derivation, type JsonSchema, type Tool } from '../../../kernel/index.ts';
import { isActivating } from '../approval/activates.ts';
import { gateCondition } from '../approval/gate-condition.ts';
import type { ListedTool } from '../mcp-sdk/types.ts';
import { build } from '../project/build.ts';
import { compactSchema, type OutputSchemas, withoutExamples } from './listed-schemas.ts';
import { portableSchema } from './portable-schema.ts';
import { keptSchema } from './tool-output.ts';
import { clientMembers, traits, traitsOf } from './tool-traits.ts';
import { foreignText } from './written-out/foreign-text.ts';
import { cutMeta, sourceMeta, writtenInput } from './written-out/listed-input.ts';

/** The cached listing of a tool with default options. */
const listing: Derivation<ListedTool> = {
  name: 'listing',
  fingerprint: build,
  of: (tool) => listAnew(tool, 'flag', 'compact'),
};

/** Derivations for `sink.derive`, so that a server can list tools without reading their definitions. */
export const listDerivations: readonly Derivation[] = [listing, traits];

/** Returns a tool as `tools/list` shows it, without the examples of its parameters. */
export function listTool(tool: Tool, proof: ApprovalProof, outputSchemas: OutputSchemas = 'compact'): ListedTool {
  if (proof !== 'flag' || outputSchemas !== 'compact') return listAnew(tool, proof, outputSchemas);
  return tool.derived?.(listing) ?? listing.of(tool);
}

/** Maximum UTF-16 units of a title that a source gives. */
const maxTitle = 80;

function listAnew(tool: Tool, proof: ApprovalProof, outputSchemas: OutputSchemas): ListedTool {
  const { title: given = titleOf(tool.name), ...hints } = tool.annotations;
  const title = tool.origin.source === undefined ? given : foreignText(given, maxTitle);
  const outputSchema = keptSchema(tool);
  const { description, inputSchema, meta } = inputOf(tool, proof);
  const shown = clientMembers(tool.definition);
  return {
    name: tool.name,
    title,
    description,
    inputSchema: inputSchema as ListedTool['inputSchema'],
    ...(outputSchemas === 'none' || outputSchema?.['type'] !== 'object'
      ? {}
      : {
          outputSchema: (outputSchemas === 'full' ? outputSchema : compactSchema(outputSchema)) as NonNullable<ListedTool['outputSchema']>,
        }),
    annotations: { title, ...hints },
    ...(shown.icons === undefined ? {} : { icons: shown.icons as ListedTool['icons'] }),
    _meta: { ...shown._meta, 'toolkit/risk': tool.risk, ...meta },
  };
}

interface ListedInput {
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Returns the text and the input schema of a listed tool: written out within a limit, or as they are. */
function inputOf(tool: Tool, proof: ApprovalProof): ListedInput {
  const schema = argumentsOf(tool, proof);
  if (!traitsOf(tool).isWrittenOut) return { description: tool.description, inputSchema: portableSchema(withoutExamples(schema)) };
  const { description, inputSchema, isCut } = writtenInput(tool, schema);
  const source = tool.origin.source?.name;
  return {
    description,
    inputSchema,
    meta: { ...(source === undefined ? {} : { [sourceMeta]: source }), ...(isCut ? { [cutMeta]: true } : {}) },
  };
}

/**
 * Returns the schema of the arguments that a client may send. Credentials are not in it. A gated tool has one more argument, unless the
 * server itself asks.
 */
export function argumentsOf(tool: Tool, proof: ApprovalProof): Tool['inputSchema'] {
  const { requires_approval: gate } = tool.definition;
  const isGated = (gate !== undefined && gate !== false) || (proof === 'token' && isActivating(tool));
  return isGated && proof !== 'none' ? withApproval(tool, proof) : tool.inputSchema;
}

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const proofSchemas = {
  flag: {
    type: 'boolean',
    description: 'true only after the person you work for has agreed to this very call; without it the tool is not run.',
  },
  token: {
    type: 'string',
    description: 'The approval token that a person gave for this very call. Call without it first, so that a person is asked.',
  },
} as const;

function withApproval(tool: Tool, proof: keyof typeof proofSchemas): Tool['inputSchema'] {
  const { type, description } = proofSchemas[proof];
  const condition = gateCondition(tool.definition.requires_approval);
  const schema = { type, description: condition === undefined ? description : `Needed when ${condition}. ${description}` };
  return { ...tool.inputSchema, properties: { ...(tool.inputSchema['properties'] as object), [approvedArgument]: schema } };
}

import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { type ApprovalProof, approvedArgument, type Tool } from '../../../kernel/index.ts';
import { isActivating } from '../approval/activates.ts';
import { gateCondition } from '../approval/gate-condition.ts';
import { portableSchema } from './portable-schema.ts';

/** A tool as `tools/list` shows it. Credentials are not in its schema; a gated tool has one more argument, unless the server asks itself. */
export function listTool(tool: Tool, proof: ApprovalProof): ListedTool {
  const { requires_approval: gate } = tool.definition;
  const isGated = (gate !== undefined && gate !== false) || (proof === 'token' && isActivating(tool));
  const { title = titleOf(tool.name), ...hints } = tool.annotations;
  return {
    name: tool.name,
    title,
    description: tool.description,
    inputSchema: portableSchema(isGated && proof !== 'none' ? withApproval(tool, proof) : tool.inputSchema) as ListedTool['inputSchema'],
    ...(tool.outputSchema?.['type'] === 'object' ? { outputSchema: tool.outputSchema as NonNullable<ListedTool['outputSchema']> } : {}),
    annotations: { title, ...hints },
    _meta: { 'toolkit/risk': tool.risk },
  };
}

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const proofSchemas = {
  flag: {
    type: 'boolean',
    description: 'Set to true only after the person you work for has agreed to this very call. Without it the tool is not run.',
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

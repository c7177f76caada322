import type { ApprovalProof, Tool } from '../../../kernel/index.ts';
import type { ListedTool } from '../mcp-sdk/types.ts';
import type { OutputSchemas } from './listed-schemas.ts';
import { argumentsOf, listTool } from './tool-listing.ts';
import { clientMembers, traitsOf } from './tool-traits.ts';
import { withoutUnseen } from './written-out/foreign-text.ts';
import { sourceMeta } from './written-out/listed-input.ts';

/** Maximum UTF-16 units of a tool that is listed as written: its name, its description and its input schema as JSON. A longer one is written out. */
const maxVerbatimLength = 20_000;

/**
 * Returns a tool as `tools/list` shows it to a client of MCP. A tool of an MCP server is listed as that server wrote it: no title, hint or keyword
 * is added, cut or moved. Its texts have no unseen characters, and a gated tool has the argument for the approval.
 */
export function listForClient(tool: Tool, proof: ApprovalProof, outputSchemas?: OutputSchemas): ListedTool {
  const verbatim = traitsOf(tool).isVerbatim ? verbatimTool(tool, proof, outputSchemas) : undefined;
  return verbatim ?? listTool(tool, proof, outputSchemas);
}

/** Returns undefined for a tool that is too long. */
function verbatimTool(tool: Tool, proof: ApprovalProof, outputSchemas: OutputSchemas | undefined): ListedTool | undefined {
  const { name, description, outputSchema, origin, risk, definition } = tool;
  const inputSchema = argumentsOf(tool, proof);
  if (name.length + description.length + JSON.stringify(inputSchema).length > maxVerbatimLength) return undefined;
  const { title, annotations, icons, _meta } = clientMembers(definition);
  const listed = {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    // Clients of 2025 refuse a list with a schema of another type.
    ...(outputSchema?.['type'] === 'object' && outputSchemas !== 'none' ? { outputSchema } : {}),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
  };
  return {
    ...withoutUnseen(listed),
    _meta: { ..._meta, 'toolkit/risk': risk, [sourceMeta]: origin.source?.name },
  } as unknown as ListedTool;
}

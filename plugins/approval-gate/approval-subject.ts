import { type DraftCall, messageOf, ToolkitError } from '../../kernel/index.ts';

/**
 * What an approval of a call is bound to, as one text: the tool and its definition, the parameters and the caller, in canonical JSON
 * (RFC 8785). Throws INVALID_PARAMETERS for parameters without a canonical form, such as half a surrogate pair.
 */
export async function approvalSubject({ tool, parameters, caller }: DraftCall): Promise<string> {
  const { default: canonicalize } = await import('canonicalize');
  try {
    return String(canonicalize({ purpose: 'toolkit approval, version 1', tool: tool.name, definition: tool.hash, parameters, caller }));
  } catch (error) {
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `The parameters of "${tool.name}" cannot be approved, they have no canonical form (RFC 8785): ${messageOf(error)}. Correct them.`,
      { tool: tool.name },
      { cause: error },
    );
  }
}

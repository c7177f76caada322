import type { CallRequest } from '../call-request.ts';
import type { Tool } from '../definition/tool.ts';
import { ToolkitError } from '../errors.ts';
import { describeValue } from '../schema/json.ts';
import { Secret } from './secret.ts';

type GivenCredentials = Pick<CallRequest, 'parameters' | 'credentials' | 'origin'>;

export const noCredentials: ReadonlyMap<string, Secret> = new Map();

/**
 * A host may give credentials beside the parameters, or among them under their own name. What a model gives is a parameter, whatever its name: where
 * nobody gives credentials beside it, there is nothing to separate. Throws INVALID_PARAMETERS for what is no credential of the tool.
 */
export function separateCredentials(
  tool: Tool,
  { parameters: given = {}, credentials, origin = 'host' }: GivenCredentials,
): { readonly parameters: Readonly<Record<string, unknown>>; readonly own: ReadonlyMap<string, Secret> } {
  const parameters: Record<string, unknown> = { ...given };
  const values: Record<string, unknown> = { ...(typeof credentials === 'function' ? credentials(tool) : credentials) };
  for (const { name } of origin === 'model' ? [] : tool.credentials) {
    if (Object.hasOwn(tool.parameters, name) || parameters[name] === undefined) continue;
    values[name] = parameters[name];
    delete parameters[name];
  }
  const own = new Map<string, Secret>();
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string' || !tool.credentials.some((need) => need.name === name)) throw refusedCredential(tool, name, value);
    own.set(name, new Secret(name, value));
  }
  return { parameters, own };
}

function refusedCredential(tool: Tool, name: string, value: unknown): ToolkitError {
  const known = tool.credentials.map((need) => need.name).join(', ') || 'none';
  const problem =
    typeof value === 'string'
      ? `is not a credential of this tool (expected ${known})`
      : `expected a string, received ${describeValue(value)}`;
  return new ToolkitError('INVALID_PARAMETERS', `Credential "${name}" of "${tool.name}" ${problem}.`, {
    tool: tool.name,
    issues: [{ path: name, message: problem }],
  });
}

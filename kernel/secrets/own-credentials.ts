import type { Tool } from '../definition/schema/tool.ts';
import { ToolkitError } from '../errors.ts';
import { describeValue } from '../json/json.ts';
import { Secret } from './secret.ts';

/** The members of a call request that may have credentials. */
interface GivenCredentials {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, string>> | ((tool: Tool) => Readonly<Record<string, string>>);
  /** A model gives no credentials. @default 'host' */
  readonly origin?: 'host' | 'model';
}

export const noCredentials: ReadonlyMap<string, Secret> = new Map();

/**
 * Separates the credentials from the parameters of a call. A host may give credentials as such, or among the parameters under their own name. A
 * model's values are always parameters. Throws INVALID_PARAMETERS for a value that is not a credential of the tool, and for parameters that are no
 * object.
 */
export function separateCredentials(
  tool: Tool,
  { parameters: given = {}, credentials, origin = 'host' }: GivenCredentials,
): { readonly parameters: Readonly<Record<string, unknown>>; readonly own: ReadonlyMap<string, Secret> } {
  // Spread, a text or a list would become an object with its characters or items.
  if (typeof given !== 'object' || Array.isArray(given)) throw noObject(tool, given);
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

function noObject(tool: Tool, given: unknown): ToolkitError {
  const message = `expected an object, received ${describeValue(given)}`;
  const issues = [{ path: '', message }];
  return new ToolkitError('INVALID_PARAMETERS', `The parameters of "${tool.name}" are wrong: ${message}.`, { tool: tool.name, issues });
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

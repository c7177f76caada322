import { randomUUID } from 'node:crypto';
import { checkTrace } from '../call/check-trace.ts';
import { checkParameters, withTextsRead } from '../call/parameters/check-parameters.ts';
import type { ExecuteOptions } from '../call/request.ts';
import type { Registry } from '../definition/registry/registry.ts';
import type { Tool } from '../definition/schema/tool.ts';
import { ToolkitError } from '../errors.ts';
import { refuseCostlyParameters } from '../json/cost.ts';
import { describeValue, type JsonObject, toJsonParameters } from '../json/json.ts';
import { separateCredentials } from '../secrets/own-credentials.ts';
import { ownSecrets } from '../secrets/own-secrets.ts';
import { placeOf } from '../trace/trace-context.ts';
import type { DurableRequest } from './call-engine.ts';

/** Options of `execute` for a durable call. */
export interface DurableOptions extends Pick<ExecuteOptions, 'caller' | 'tenant' | 'accountTenant' | 'origin' | 'trace'> {
  readonly durable: true;
  /** The id of the call, unique for its caller, 1 to 200 characters: a second call with this id is the same call. @default a random UUID */
  readonly id?: string;
}

interface Services {
  readonly registry: Registry;
  readonly mask: <T>(value: T) => T;
}

const maxIdLength = 200;

const asked = 'a person is asked when it needs approval, and answers with kernel.calls.answer';

/** The reasons why a durable call does not have these options. */
const refused: Readonly<Record<string, string>> = {
  credentials: 'values of credentials are not stored; they are resolved for the caller when it runs',
  approved: asked,
  approval: asked,
  once: 'its id is that',
  signal: 'it goes on without this process; give the signal to result()',
} satisfies Partial<Record<keyof ExecuteOptions, string>>;

/** Checks a durable call as far as possible before it runs. Throws INVALID_PARAMETERS or TOOL_NOT_FOUND. */
export function durableRequest(
  toolName: string,
  written: Readonly<Record<string, unknown>>,
  { durable, id = randomUUID(), caller = 'default', tenant, accountTenant, origin = 'host', trace, ...others }: DurableOptions,
  { registry, mask }: Services,
): DurableRequest {
  if (durable !== true)
    throw invalidOption(toolName, `"durable" expected true, received ${describeValue(durable)}. Leave it out for any other call`);
  const unknownOptions = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
  if (unknownOptions !== undefined)
    throw invalidOption(toolName, `it takes no "${unknownOptions}": ${refused[unknownOptions] ?? 'it could not be stored'}. Leave it out`);
  checkId(toolName, id);
  if (trace !== undefined) checkTrace(toolName, trace);
  const tool = registry.get(toolName);
  const given = withTextsRead(tool, written);
  refuseCostlyParameters(tool, given);
  refuseSecrets(tool, given, origin, registry, mask);
  checkParameters(tool, given, origin);
  const parameters = toJsonParameters(given, []) as JsonObject;
  const place = trace === undefined ? undefined : placeOf(trace);
  const tenants = { ...(tenant === undefined ? {} : { tenant }), ...(accountTenant === undefined ? {} : { accountTenant }) };
  return { id, caller, tool: tool.name, parameters, origin, ...tenants, ...(place === undefined ? {} : { trace: place }) };
}

/** Throws for secrets in the parameters of a durable call: stored parameters are readable by everybody who may read the calls. */
function refuseSecrets(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  origin: DurableRequest['origin'],
  { secretNames }: Registry,
  mask: Services['mask'],
): void {
  const { parameters, own } = separateCredentials(tool, { parameters: given, origin });
  const [name] = own.keys();
  if (name !== undefined)
    throw invalidOption(tool.name, `its parameters have the credential "${name}", and ${refused['credentials']}. Leave it out`);
  const brought = ownSecrets(tool, { own, parameters, approval: undefined }, secretNames);
  if (brought !== undefined || JSON.stringify(mask(parameters)) !== JSON.stringify(parameters))
    throw invalidOption(tool.name, `its parameters hold the value of a secret, and ${refused['credentials']}. Leave it out`);
}

function checkId(tool: string, id: unknown): void {
  const expected = `"id" expected 1 to ${maxIdLength} characters without control characters`;
  if (typeof id !== 'string' || id === '' || id.length > maxIdLength || !id.isWellFormed() || /\p{Cc}/u.test(id))
    throw invalidOption(tool, `${expected}, received ${describeValue(id)}`);
}

function invalidOption(tool: string, problem: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `"${tool}" cannot be called durably: ${problem}.`, { tool });
}

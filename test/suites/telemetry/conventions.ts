import * as stable from '@opentelemetry/semantic-conventions';
import * as incubating from '@opentelemetry/semantic-conventions/incubating';
import type { CollectedSpan } from '../../support/telemetry/otlp-spans.ts';

const constants = Object.entries({ ...incubating, ...stable });

const valuesOf = (prefix: string): ReadonlySet<string> =>
  new Set(constants.flatMap(([name, value]) => (name.startsWith(prefix) && typeof value === 'string' ? [value] : [])));

const attributeNames = valuesOf('ATTR_');

/** Methods of the protocol that the package does not have: those since 2026-07-28. */
const newMethods = ['server/discover', 'tasks/get', 'tasks/update', 'tasks/cancel', 'skills/list', 'skills/get'];

const methods: ReadonlySet<string> = new Set([...valuesOf('MCP_METHOD_NAME_VALUE_'), ...newMethods, '_OTHER']);

/** Attribute of the target of a method, which is in the name of the span too, unless it has many values. */
const targets: Readonly<Record<string, { readonly attribute: string; readonly isInName: boolean }>> = {
  'tools/call': { attribute: incubating.ATTR_GEN_AI_TOOL_NAME, isInName: true },
  'prompts/get': { attribute: incubating.ATTR_GEN_AI_PROMPT_NAME, isInName: true },
  'resources/read': { attribute: incubating.ATTR_MCP_RESOURCE_URI, isInName: false },
};

/**
 * Returns what is not as the semantic conventions have it: names of attributes by their package, and what they require of the spans of MCP requests
 * (https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/mcp.md).
 */
export function deviationsOf(span: CollectedSpan): readonly string[] {
  const { name, kind, attributes, status } = span;
  const found: string[] = [];
  const expectThat = (holds: boolean, rule: string): void => {
    if (!holds) found.push(`${kind} span "${name}": ${rule}`);
  };
  for (const attribute of Object.keys(attributes))
    expectThat(attribute.startsWith('toolkit.') || attributeNames.has(attribute), `${attribute} is no attribute of the conventions`);
  const errorType = attributes[stable.ATTR_ERROR_TYPE];
  expectThat((errorType !== undefined) === (status.code === 'error'), `status ${status.code} with error.type ${String(errorType)}`);
  const method = attributes[incubating.ATTR_MCP_METHOD_NAME];
  if (method !== undefined) for (const rule of requestDeviations(span, String(method))) expectThat(false, rule);
  return found;
}

function requestDeviations({ name, kind, attributes }: CollectedSpan, method: string): readonly string[] {
  const { attribute, isInName } = targets[method] ?? {};
  const target = attribute === undefined ? undefined : attributes[attribute];
  const code = attributes[incubating.ATTR_RPC_RESPONSE_STATUS_CODE];
  const required = [
    incubating.ATTR_MCP_PROTOCOL_VERSION,
    stable.ATTR_NETWORK_TRANSPORT,
    // The span of a request to another server covers the further requests with answers to its questions: there is no one id.
    ...(kind === 'server' ? [incubating.ATTR_JSONRPC_REQUEST_ID] : [stable.ATTR_SERVER_ADDRESS, stable.ATTR_SERVER_PORT]),
    // A request for what there is not names nothing that the server knows.
    ...(attribute === undefined || code !== undefined || attributes['toolkit.error.code'] === 'TOOL_NOT_FOUND' ? [] : [attribute]),
  ];
  const isCall = method === 'tools/call';
  const rules: readonly (readonly [holds: boolean, rule: string])[] = [
    [methods.has(method), `${method} is no method of the protocol`],
    [name === (isInName === true && target !== undefined ? `${method} ${target}` : method), 'the name is not method and target'],
    [kind === 'server' || kind === 'client', 'the kind is neither server nor client'],
    [(attributes[incubating.ATTR_GEN_AI_OPERATION_NAME] === 'execute_tool') === isCall, 'gen_ai.operation.name is for calls of tools'],
    [code === undefined || code === attributes[stable.ATTR_ERROR_TYPE], 'error.type is not the code of the answer'],
    ...required.map((needed) => [attributes[needed] !== undefined, `${needed} is missing`] as const),
  ];
  return rules.flatMap(([holds, rule]) => (holds ? [] : [rule]));
}

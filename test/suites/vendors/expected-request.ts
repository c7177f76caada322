import { createHash } from 'node:crypto';
import { isPlainObject } from '../../../kernel/index.ts';
import { apiNameOf, type CatalogueParameter, type CatalogueProvider, type CatalogueTool, offeredParameters } from './catalogue.ts';
import { composed } from './composed-mail.ts';
import { environment } from './credentials.ts';
import type { Operation } from './description.ts';

/** The request that a call must send, from the facts of the catalogue. Values are those before encoding. */
export interface ExpectedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined where the tool has no body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

export interface Given {
  readonly provider: CatalogueProvider;
  readonly tool: CatalogueTool;
  readonly operation: Operation;
  /** The parameters of the call, with the defaults that the tool fills in. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export function expectedRequest({ provider, tool, operation, parameters }: Given): ExpectedRequest {
  const values = [...suppliedValues(provider, tool, parameters), ...givenValues(tool, parameters)];
  const inPlace = (place: CatalogueParameter['in']): (readonly [string, unknown])[] =>
    values.filter(([parameter]) => parameter.in === place).map(([parameter, value]) => [apiNameOf(parameter), value]);
  const inPath = Object.fromEntries(inPlace('path'));
  const fixed = Object.entries(tool.fixed_parameters ?? {});
  const hasBody = operation.bodies.size > 0;
  return {
    method: tool.method ?? '',
    path: (tool.path ?? '').replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name]))),
    query: Object.fromEntries(inPlace('query')),
    body: hasBody ? nested([...fixed, ...inPlace('body')]) : undefined,
  };
}

type Placed = readonly [CatalogueParameter, unknown];

function givenValues(tool: CatalogueTool, parameters: Readonly<Record<string, unknown>>): Placed[] {
  const parts = new Set(tool.compose?.from.map(({ name }) => name));
  const whole = tool.parameters.find((parameter) => apiNameOf(parameter) === tool.compose?.into);
  const single = offeredParameters(tool)
    .filter(({ name }) => parameters[name] !== undefined && !parts.has(name))
    .map((parameter): Placed => [parameter, computed(parameter, parameters[parameter.name])]);
  return whole === undefined ? single : [...single, [whole, composed]];
}

/** The names that the vendor gets without the caller: the account in the path, a default from the environment. */
function suppliedValues(
  { parameter_mapping: mapping }: CatalogueProvider,
  tool: CatalogueTool,
  parameters: Readonly<Record<string, unknown>>,
): Placed[] {
  const account: Placed = [{ name: 'AccountSid', in: 'path', type: 'string', required: true }, environment.TWILIO_ACCOUNT_SID];
  const defaults = Object.entries(mapping).flatMap(([name, { default_for: apiName }]) => {
    const parameter = tool.parameters.find((candidate) => candidate.in === 'body' && apiNameOf(candidate) === apiName);
    // One of From and MessagingServiceSid is required: the default is not for calls that give the other one.
    const isGiven =
      parameter === undefined || parameters[parameter.name] !== undefined || parameters['messaging_service_sid'] !== undefined;
    return isGiven ? [] : [[parameter, (environment as Readonly<Record<string, string>>)[name]] as const];
  });
  return [account, ...defaults];
}

/** An address in place of the hash of a subscriber is hashed as the notes of the catalogue say. */
function computed({ name }: CatalogueParameter, value: unknown): unknown {
  if (name !== 'subscriber_hash' || typeof value !== 'string' || !value.includes('@')) return value;
  return createHash('md5').update(value.trim().toLowerCase()).digest('hex');
}

/** Dotted names as objects in each other. */
function nested(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const keys = name.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<Record<string, unknown>>((node, key) => {
      const inner = isPlainObject(node[key]) ? node[key] : {};
      node[key] = inner;
      return inner;
    }, whole);
    parent[last] = value;
  }
  return whole;
}

import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../../kernel/index.ts';
import type { Purpose } from './json-schema.ts';
import { mailchimpAnswers } from './mailchimp-answers.ts';
import { notionAnswers } from './notion-answers.ts';
import type { Document, RawOperation } from './openapi.ts';
import { promisedMembers } from './promised-members.ts';
import { slackAnswers } from './slack-answers.ts';
import { type Correction, sourceFaults } from './source-faults.ts';

const all: readonly Correction[] = [...sourceFaults, ...promisedMembers, ...slackAnswers, ...notionAnswers, ...mailchimpAnswers];

/**
 * The description with its known faults corrected. Throws where there is nothing to correct, so that no correction outlives its reason.
 */
export function corrected(provider: string, document: Document, purpose: Purpose): Document {
  const copy = structuredClone(document);
  for (const correction of all) {
    const { only = purpose, places } = correction;
    if (correction.provider === provider && only === purpose) for (const place of places) replace(copy, place, correction);
  }
  return copy;
}

function replace(document: Document, place: string, { provider, schema }: Correction): void {
  const segments = segmentsOf(document, place);
  const last = segments.at(-1) ?? '';
  const parent = segments.slice(0, -1).reduce(memberOf, document);
  if (!isPlainObject(parent)) throw new Error(`${provider}.json has no "${place}". Take it out of the table of corrections.`);
  if (isDeepStrictEqual(parent[last], schema))
    throw new Error(`${provider}.json says about "${place}" what its correction says. Take it out of the table of corrections.`);
  parent[last] = schema;
}

/** A member; of a list of parameters the one of that name. */
function memberOf(node: unknown, segment: string): unknown {
  if (Array.isArray(node)) return node.find((item: unknown) => isPlainObject(item) && item['name'] === segment);
  return isPlainObject(node) ? node[segment] : undefined;
}

function segmentsOf(document: Document, place: string): string[] {
  const [owner = '', path = ''] = place.split(' ');
  const [kind = '', ...rest] = path.split('/');
  if (owner === 'schemas') return ['components', 'schemas', kind, ...rest];
  for (const [url, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === owner) return ['paths', url, method, ...inOperation(operation, kind, rest)];
  return [owner];
}

function inOperation({ requestBody, responses }: RawOperation, kind: string, rest: readonly string[]): string[] {
  if (kind === 'query') return ['parameters', ...rest.slice(0, 1), 'schema', ...rest.slice(1)];
  if (kind === 'body') return ['requestBody', 'content', Object.keys(requestBody?.content ?? {})[0] ?? '', 'schema', ...rest];
  const success = Object.keys(responses).find((status) => /^2/.test(status)) ?? '';
  return ['responses', success, 'content', 'application/json', 'schema', ...rest];
}

import Type, { type Static } from 'typebox';
import type { Issue } from '../../../kernel/index.ts';
import { stylesOf } from './auth.ts';
import type { HttpExecution } from './execution.ts';

/** The header with a value of its own for each call, which stays the same when that call is sent again. */
export const IdempotencySchema = Type.Object(
  { header: Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }) },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);

export type Idempotency = Static<typeof IdempotencySchema>;

/** Headers that every request has, or that only the connection may set (RFC 9110, 7.6.1). */
const reservedHeaders = ['connection', 'content-length', 'content-type', 'cookie', 'host', 'transfer-encoding'];

/** Returns an issue for a header that carries something else, which the schema cannot check. */
export function checkIdempotency({ header }: Idempotency, execution: HttpExecution): readonly Issue[] {
  if (!takenHeaders(execution).has(header.toLowerCase())) return [];
  const message = `"${header}" is a header that carries something else. Name the one that the service asks for`;
  return [{ path: 'idempotency.header', pointer: '/idempotency/header', message }];
}

function takenHeaders({ headers = {}, auth }: HttpExecution): ReadonlySet<string> {
  const ofAuth = stylesOf(auth).flatMap((style) => (style.type === 'header' ? style.name : []));
  return new Set([...reservedHeaders, 'authorization', ...[...Object.keys(headers), ...ofAuth].map((name) => name.toLowerCase())]);
}

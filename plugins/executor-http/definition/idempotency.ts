import Type, { type Static } from 'typebox';
import type { Issue } from '../../../kernel/index.ts';
import { stylesOf } from './auth.ts';
import type { HttpExecution } from './execution.ts';

/** The header that carries a value of its own for each call, the same whenever that call is sent again. */
export const IdempotencySchema = Type.Object(
  { header: Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }) },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);

export type Idempotency = Static<typeof IdempotencySchema>;

/** What every request has, or what only the connection may say (RFC 9110, 7.6.1). */
const reservedHeaders = ['connection', 'content-length', 'content-type', 'cookie', 'host', 'transfer-encoding'];

/** What the schema cannot say: that the header is not one that carries something else. */
export function checkIdempotency({ header }: Idempotency, execution: HttpExecution): readonly Issue[] {
  if (!takenHeaders(execution).has(header.toLowerCase())) return [];
  const message = `"${header}" is a header that carries something else. Name the one that the service asks for`;
  return [{ path: 'idempotency.header', pointer: '/idempotency/header', message }];
}

function takenHeaders({ headers = {}, auth }: HttpExecution): ReadonlySet<string> {
  const ofAuth = stylesOf(auth).flatMap((style) => (style.type === 'header' ? style.name : []));
  return new Set([...reservedHeaders, 'authorization', ...[...Object.keys(headers), ...ofAuth].map((name) => name.toLowerCase())]);
}

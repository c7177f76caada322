import { randomUUID } from 'node:crypto';
import type { Issue, Tool, ToolDefinition } from '../../kernel/index.ts';
import { stylesOf } from './auth.ts';
import type { HttpExecution } from './execution.ts';

/** What every request has, or what only the connection may say (RFC 9110, 7.6.1). */
const reservedHeaders = ['connection', 'content-length', 'content-type', 'cookie', 'host', 'transfer-encoding'];

/** The header by which a service knows that it has had a request already, with a new value. Undefined for a tool without one. */
export function idempotencyHeader({ definition }: Tool): readonly [string, string] | undefined {
  return definition.idempotency === undefined ? undefined : [definition.idempotency.header, randomUUID()];
}

/** What is wrong with `retry` and `idempotency` for this request. */
export function checkRepeats(definition: ToolDefinition, execution: ToolDefinition['execution']): readonly Issue[] {
  const { retry, idempotency, annotations } = definition;
  const { method } = execution as unknown as HttpExecution;
  const issues: Issue[] = [];
  const report = (pointer: string, message: string) => issues.push({ path: pointer.slice(1).replaceAll('/', '.'), pointer, message });
  const isRepeatable =
    idempotency !== undefined ||
    (method !== 'post' && method !== 'patch') ||
    annotations?.idempotentHint === true ||
    annotations?.readOnlyHint === true;
  if (retry !== undefined && retry.attempts > 1 && !isRepeatable)
    report(
      '/retry',
      `would send "${method}" again, which may do the same thing twice (RFC 9110, 9.2.2). Add "idempotency: { header: Idempotency-Key }" if the service knows such a header, say "annotations: { idempotentHint: true }" if twice is like once, or remove "retry"`,
    );
  if (idempotency !== undefined && takenHeaders(execution as unknown as HttpExecution).has(idempotency.header.toLowerCase()))
    report(
      '/idempotency/header',
      `"${idempotency.header}" is a header that carries something else. Name the one that the service asks for`,
    );
  return issues;
}

function takenHeaders({ headers = {}, auth }: HttpExecution): ReadonlySet<string> {
  const ofAuth = stylesOf(auth).flatMap((style) => (style.type === 'header' ? style.name : []));
  return new Set([...reservedHeaders, 'authorization', ...[...Object.keys(headers), ...ofAuth].map((name) => name.toLowerCase())]);
}

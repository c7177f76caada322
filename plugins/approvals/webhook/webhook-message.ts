import type { ApprovalRecord } from '../../../kernel/index.ts';

/** Path of the route that takes answers. */
export const answerPath = '/approvals/answer';

/**
 * Returns the body of the message about a waiting record, with secrets masked. `baseUrl`: origin of the HTTP server that takes the answer; undefined
 * where none runs, or where others could read the answer on the way.
 */
export function webhookMessage(record: ApprovalRecord, baseUrl: string | undefined): string {
  const { id, tool, risk, caller, tenant, createdAt, expiresAt, digest, policy, reasons, shown } = record;
  const { approvers, decisions, count, isKept, replaces } = record;
  return JSON.stringify({
    type: 'approval.waiting',
    approval: {
      ...{ id, tool, risk, caller, tenant, createdAt, expiresAt, digest, policy, approvers, decisions, count, isKept },
      // Never "takesClaim" and the like, which are the kernel's.
      reasons: reasons.map(({ kind, message, shown: more }) => ({ kind, message, ...(more === undefined ? {} : { shown: more }) })),
      shown,
      ...(replaces === undefined ? {} : { replaces }),
    },
    answer: { ...(baseUrl === undefined ? {} : { url: `${baseUrl}${answerPath}` }), digest },
  });
}

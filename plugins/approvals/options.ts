import Type, { type Static } from 'typebox';
import { WebhookOptionsSchema } from './webhook/webhook-options.ts';

const dayMs = 24 * 60 * 60 * 1000;

export const ApprovalsOptionsSchema = Type.Object(
  {
    /** Number of different names that must approve, none of them the caller. With 1, the person at the caller's client may. @default 1 */
    approvers: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    /** Time after which a missing answer is a no, and a yes without a run ends, in milliseconds. @default 86400000: a day */
    ttlMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: 30 * dayMs })),
    /** Maximum number of calls of one caller that wait for a person. More are refused (RATE_LIMITED). @default 100 */
    maxWaiting: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    /** Time for which a refusal with `hold` refuses later calls as well, in milliseconds. @default 600000: ten minutes */
    refusalMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: 7 * dayMs })),
    /** Time for which decided records are stored, in milliseconds. @default 2592000000: 30 days */
    retentionMs: Type.Optional(Type.Integer({ minimum: 60_000 })),
    /** Time for which a call waits for a decision from elsewhere, when its client cannot be asked, in milliseconds. @default 0: it is told to call again */
    waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 240_000 })),
    /** Programs that are told of each waiting call by a signed message, and may decide about it. Each has a name by which it decides. @default none */
    webhooks: Type.Optional(WebhookOptionsSchema),
    /** Names with which the program that embeds the kernel decides (`kernel.approvals`), to be counted for `approvers`. @default none are counted */
    libraryNames: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }))),
  },
  { additionalProperties: false },
);

export type ApprovalsOptions = Static<typeof ApprovalsOptionsSchema>;

export type ApprovalsSettings = Required<Omit<ApprovalsOptions, 'webhooks' | 'libraryNames'>>;

/** Fills in the defaults. */
export function approvalsSettings({
  approvers = 1,
  ttlMs = dayMs,
  maxWaiting = 100,
  refusalMs = 600_000,
  retentionMs = 30 * dayMs,
  waitMs = 0,
}: ApprovalsOptions): ApprovalsSettings {
  return { approvers, ttlMs, maxWaiting, refusalMs, retentionMs, waitMs };
}

import type { ApprovalAnswer, ApprovalEvent, ApprovalRecord, HttpRouteAccess, PluginApi, StateChange } from '../../../kernel/index.ts';
import { answerRoute } from './answer-route.ts';
import { outboxEntries } from './outbox.ts';
import { checkWebhooks, type WebhookOptions } from './webhook-options.ts';
import { WebhookSender } from './webhook-sender.ts';
import type { WebhookTiming } from './webhook-timing.ts';

export { answerRoute } from './answer-route.ts';
export { outboxEntries } from './outbox.ts';
export { checkWebhooks, type Webhook, type WebhookOptions, WebhookOptionsSchema, webhookWays } from './webhook-options.ts';
export { WebhookSender } from './webhook-sender.ts';

export interface WebhookServices {
  /** Returns the record of an id, with secrets masked; undefined when there is none. */
  readonly read: (id: string) => Promise<ApprovalRecord | undefined>;
  /** Decides a record, as `ApprovalInbox.decide` does, and reports an answer that it refuses (NOT_FOUND, INVALID_PARAMETERS). */
  readonly decide: (id: string, answer: ApprovalAnswer) => Promise<ApprovalRecord>;
  /** Reports an answer that was refused before it could decide. */
  readonly reject: (event: ApprovalEvent) => void;
  /** @default `webhookTiming` */
  readonly timing?: Partial<WebhookTiming>;
}

/** The webhooks of one kernel. */
export interface Webhooks {
  /** Returns the changes that are written in one step with a new record. */
  outbox(record: ApprovalRecord): readonly StateChange[];
}

/** Stage after that of every transport: the address for answers is known then. */
const lastStage = Number.MAX_SAFE_INTEGER;

/**
 * Adds webhooks to a plugin, during `apply`: the route for answers, and the sender, which runs while the kernel serves. Adds nothing without webhooks.
 * Throws PLUGIN_INVALID for options that cannot be used.
 */
export function addWebhooks(api: PluginApi, options: readonly WebhookOptions[], services: WebhookServices): Webhooks {
  if (options.length === 0) return { outbox: () => [] };
  const webhooks = checkWebhooks(options);
  for (const { secret, previousSecret } of options)
    for (const text of [secret, previousSecret]) if (text !== undefined) api.maskAlso('WEBHOOK_SECRET', text);
  const { state, logger } = api;
  const access: HttpRouteAccess = api.extend.httpRoute(answerRoute({ state, webhooks, logger, ...services }));
  let sender: WebhookSender | undefined;
  api.hooks.serve.tap({ name: 'approvals webhooks', stage: lastStage }, () => {
    sender ??= new WebhookSender({ state, webhooks, logger, access, fetch: api.fetch, ...services });
    sender.start();
  });
  api.hooks.dispose.tapPromise('approvals webhooks', async () => sender?.close());
  return { outbox: (record) => outboxEntries(record, webhooks) };
}

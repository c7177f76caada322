import { apiVersion, definePlugin, type Kernel, type PluginApi, type PluginEntry, type StateStore } from '../../../../kernel/index.ts';
import { addWebhooks, type WebhookOptions } from '../../../../plugins/approvals/webhook/index.ts';
import type { WebhookTiming } from '../../../../plugins/approvals/webhook/webhook-timing.ts';
import { createTestKit, type LogRecord } from '../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../support/after-each.ts';
import { FakeInbox } from './records.ts';

export const quick: WebhookTiming = { timeoutMs: 10_000, firstRetryMs: 5, maxRetryMs: 20, pollIntervalMs: 25, deferMs: 0 };

/** A kernel with webhooks, whose records are in memory. */
export interface HookedKernel {
  readonly kernel: Kernel;
  readonly state: StateStore;
  readonly inbox: FakeInbox;
  readonly log: readonly LogRecord[];
}

export interface HookedOptions {
  /** @default no other plugin */
  readonly more?: readonly PluginEntry[];
  readonly timing?: Partial<WebhookTiming>;
  /** Records shared by several kernels. @default its own */
  readonly inbox?: FakeInbox;
  /** Changes the store of the webhooks. */
  readonly change?: (state: StateStore) => StateStore;
  /** Address of the HTTP server. @default none runs */
  readonly baseUrl?: string;
}

const opened: Kernel[] = [];

/** Starts a kernel with webhooks, closed after the test. It sends nothing before `kernel.serve()`. */
export async function hookedKernel(
  webhooks: readonly WebhookOptions[],
  { more = [], timing, inbox = new FakeInbox(), baseUrl, change = (given) => given }: HookedOptions = {},
): Promise<HookedKernel> {
  let state: StateStore | undefined;
  const hooked = definePlugin({
    name: 'approvals',
    apiVersion,
    apply(api) {
      state = api.state;
      const changed = Object.create(api, { state: { value: change(api.state) } }) as PluginApi;
      addWebhooks(changed, webhooks, { ...inbox, timing: { ...quick, ...timing } });
    },
  })();
  const { kernel, log } = await createTestKit({ plugins: [...more, hooked] });
  opened.push(kernel);
  if (baseUrl !== undefined) kernel.httpRoutes.serve({ baseUrl, hasSeveralCallers: false });
  return { kernel, log, inbox, state: state as StateStore };
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((kernel) => kernel.close()));
});

import { type ApprovalHost, type ApprovalInbox, apiVersion, definePlugin, type PluginApi, ToolkitError } from '../../kernel/index.ts';
import { movableState } from '../shared/calls/movable-state.ts';
import { HostKeys } from '../shared/keys/host-keys.ts';
import { approvalChecks } from './checks/approval-checks.ts';
import { approvalCommands } from './commands.ts';
import { definePreviews } from './details/preview.ts';
import { addGauges } from './gauges.ts';
import type { OpenedApprovals } from './open-approvals.ts';
import { ApprovalsOptionsSchema, approvalsSettings } from './options.ts';
import { addWays } from './ways.ts';
import type { WebhookOptions, WebhookServices, Webhooks } from './webhook/index.ts';

export type { ApprovalsOptions } from './options.ts';

/**
 * Keeps a record of each call that needs a person, in the store of the configuration: people at the client, at a terminal or behind a webhook
 * decide about one record, and the call runs once. Records are sealed, survive restarts, and are shared by all processes of the store. Loads its
 * code, and reads the key of this host, for the first call that asks.
 */
export const approvals = definePlugin({
  name: 'approvals',
  apiVersion,
  optionsSchema: ApprovalsOptionsSchema,
  commands: approvalCommands,
  checks: approvalChecks,
  async apply(api, options) {
    const { extend, hooks, logger, state, maskAlso } = api;
    const settings = approvalsSettings(options);
    const keys = new HostKeys({ logger, maskAlso, state });
    extend.controlFiles(keys.folder, { what: 'the keys of this host', read: false });
    const readPreview = definePreviews(api);
    addGauges(api);
    let report: ApprovalHost['report'] = () => {};
    const { webhooks = [] } = options;
    const outbox =
      webhooks.length === 0
        ? () => []
        : await webhookOutbox(api, webhooks, {
            read: async (id) => (await open?.())?.read(id),
            decide: (id, answer) => api.kernel.approvals.decide(id, answer),
            reject: (event) => report(event),
          });
    addWays(api, options);
    extend.fact(movableState, {
      what: 'approvals',
      keysOf: 'approvals',
      isActedOn: false,
      move: async (from) => (await import('./move-approvals.ts')).moveApprovals({ from, to: state, ttlMs: settings.retentionMs }),
    });
    let opening: Promise<OpenedApprovals> | undefined;
    let opened: OpenedApprovals | undefined;
    let isServing = false;
    let open: (() => Promise<OpenedApprovals>) | undefined;
    extend.approvalInbox((host) => {
      if (!host.hasOnce)
        throw new ToolkitError('PLUGIN_INVALID', 'approvals() needs callsOnce(), so that an approved call runs once. Add it.');
      report = host.report;
      const start = (): Promise<OpenedApprovals> => {
        opening ??= import('./open-approvals.ts').then(({ openApprovals }) => {
          opened = openApprovals(api, { host, keys, settings, outbox, readPreview });
          if (isServing) opened.sweep.start();
          return opened;
        });
        return opening;
      };
      open = start;
      return lazyInbox(async () => (await start()).inbox);
    });
    // Calls that others may join or continue have a name.
    hooks.settled.tapPromise({ name: 'approvals', onlyOnce: true }, (end) => opened?.inbox.settle(end));
    hooks.serve.tapPromise('approvals', async () => {
      isServing = true;
      // In memory there is nothing of an earlier process.
      if (state.isShared) (await open?.())?.sweep.start();
    });
    hooks.dispose.tapPromise('approvals', async () => (await opening?.catch(() => undefined))?.close());
  },
});

/** Adds the webhooks, whose code is loaded only where there are some. */
async function webhookOutbox(api: PluginApi, webhooks: readonly WebhookOptions[], services: WebhookServices): Promise<Webhooks['outbox']> {
  const { addWebhooks } = await import('./webhook/index.ts');
  return addWebhooks(api, webhooks, services).outbox;
}

/** Returns an inbox that is opened on first use. */
function lazyInbox(inbox: () => Promise<ApprovalInbox & Required<Pick<ApprovalInbox, 'watch'>>>): ApprovalInbox {
  return {
    hold: async (...given) => (await inbox()).hold(...given),
    list: async (...given) => (await inbox()).list(...given),
    get: async (...given) => (await inbox()).get(...given),
    decide: async (...given) => (await inbox()).decide(...given),
    decideMany: async (...given) => (await inbox()).decideMany(...given),
    change: async (...given) => (await inbox()).change(...given),
    erase: async (...given) => (await inbox()).erase(...given),
    watch: async (...given) => (await inbox()).watch(...given),
    dispatch: async (...given) => (await inbox()).dispatch?.(...given),
    callEnded: async (...given) => (await inbox()).callEnded?.(...given),
  };
}

import { userInfo } from 'node:os';
import type { PluginApi } from '../../kernel/index.ts';
import { approvalWays, refuseTooFewNames } from '../shared/approval/approval-ways.ts';
import type { ApprovalsOptions } from './options.ts';
import { webhookWays } from './webhook/webhook-options.ts';

/**
 * States the ways in which records can be decided, and refuses a start with more approvers than possible names. A store of one machine belongs to one
 * account, so that the command line has one name there; it has none without a store that other processes see.
 */
export function addWays(
  api: Pick<PluginApi, 'extend' | 'state' | 'kernel'>,
  { approvers = 1, webhooks = [], libraryNames = [] }: ApprovalsOptions,
): void {
  const { extend, state } = api;
  extend.fact(approvalWays, {
    way: 'command line',
    // Another plugin may set the store later.
    get names() {
      if (!state.isShared) return [];
      return state.spansMachines === true ? 'many' : accountNames();
    },
  });
  const ofWebhooks = webhookWays(webhooks);
  if (ofWebhooks !== undefined) extend.fact(approvalWays, ofWebhooks);
  if (libraryNames.length > 0) extend.fact(approvalWays, { way: 'library', names: libraryNames });
  extend.ready(() => refuseTooFewNames(api.kernel.facts(approvalWays), approvers));
}

function accountNames(): readonly string[] {
  try {
    return [userInfo().username];
  } catch {
    // An account without a name cannot decide.
    return [];
  }
}

import type { PluginApi } from '../../kernel/index.ts';
import type { RefreshGrant } from './grants/grant.ts';
import { type RefreshFailure, refreshFailure } from './grants/refresh-failure.ts';

/** The outcome of a request for new tokens. `failed`: the provider has done nothing, such as when it refuses the client. */
type Outcome = 'refreshed' | 'ended' | 'unanswered' | 'failed';

const outcomes: Readonly<Record<RefreshFailure, Outcome>> = { ended: 'ended', unanswered: 'unanswered', unchanged: 'failed' };

/** Adds the number of requests for new tokens. Returns a wrapper that counts them. */
export function addGauges({ extend }: Pick<PluginApi, 'extend'>): (refresh: RefreshGrant) => RefreshGrant {
  const counts: Record<Outcome, number> = { refreshed: 0, ended: 0, unanswered: 0, failed: 0 };
  extend.gauge({
    name: 'accounts.refreshes',
    description: 'Requests of this process for new tokens of accounts. After "ended" only a new login helps',
    unit: '{refresh}',
    kind: 'counter',
    labels: ['outcome'],
    read: () => Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
  });
  return (refresh) => async (grant, signal) => {
    try {
      const tokens = await refresh(grant, signal);
      counts.refreshed++;
      return tokens;
    } catch (error) {
      counts[outcomes[refreshFailure(error)]]++;
      throw error;
    }
  };
}

import type { GuardedDispatcher } from './guarded-dispatcher.ts';

/** Limit of open dispatchers: many tenants with certificates of their own must not hold connections for ever. */
const maxAgents = 100;

/**
 * The dispatchers, by what they allow and which certificate they send. At the limit, the one that was opened first is dropped.
 * It is not closed, because requests may still be on their way to it: undici closes connections that are idle for some
 * seconds.
 */
export class AgentPool {
  readonly #agents = new Map<string, Promise<GuardedDispatcher>>();

  get(key: string, open: () => Promise<GuardedDispatcher>): Promise<GuardedDispatcher> {
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#agents.keys();
    if (oldest !== undefined && this.#agents.size >= maxAgents) this.#agents.delete(oldest);
    const agent = open();
    this.#agents.set(key, agent);
    return agent;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map(async (agent) => (await agent).destroy()));
  }
}

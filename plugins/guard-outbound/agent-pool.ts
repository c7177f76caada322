import type { GuardedDispatcher } from './guarded-dispatcher.ts';

/** Dispatchers at the same time; many tenants with certificates of their own must not keep their connections for ever. */
const maxAgents = 100;

/**
 * Dispatchers by what they allow and prove. The one that was opened first gives way. Requests may still be on their way to it, so it is let
 * go and not closed: undici closes what has been idle for some seconds.
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

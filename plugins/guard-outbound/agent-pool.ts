import type { Agent } from 'undici';

/** Agents at the same time; many tenants with certificates of their own must not keep their connections for ever. */
const maxAgents = 100;

/** Agents by what they allow and prove. The one that was opened first gives way, and ends when its requests have. */
export class AgentPool {
  readonly #agents = new Map<string, Promise<Agent>>();

  get(key: string, open: () => Promise<Agent>): Promise<Agent> {
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#agents;
    if (oldest !== undefined && this.#agents.size >= maxAgents) {
      this.#agents.delete(oldest[0]);
      void oldest[1].then((agent) => agent.close()).catch(() => {});
    }
    const agent = open();
    this.#agents.set(key, agent);
    return agent;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map(async (agent) => (await agent).destroy()));
  }
}

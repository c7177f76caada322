import type { JsonObject, PluginApi, Refusal } from '../../kernel/index.ts';

/** The reasons of refusals that hosts state (`Refusal.reason`). Others count as `_OTHER`: labels must be few. */
const reasons = ['token', 'scope', 'host', 'origin', 'size', 'rate', 'unavailable', 'connections', 'type', 'encoding', 'answer'] as const;

/** Adds the numbers of clients: open sessions, and requests that were refused before they were calls. `status`: the use of the transport's limits. */
export function addGauges({ extend }: Pick<PluginApi, 'extend'>, status: () => JsonObject): void {
  extend.gauge({
    name: 'mcp.sessions',
    description: 'Open sessions over HTTP of this process. Clients of the newest protocol have none',
    unit: '{session}',
    read() {
      const { open } = status();
      return typeof open === 'number' ? open : undefined;
    },
  });
  const counts = new Map<string, number>([...reasons, '_OTHER'].map((reason) => [reason, 0]));
  const count = ({ reason, count: more }: Refusal): void => {
    const label = counts.has(reason) ? reason : '_OTHER';
    counts.set(label, (counts.get(label) ?? 0) + more);
  };
  extend.refusals(count);
  extend.gauge({
    name: 'http.refusals',
    description: 'Requests that were refused before they were calls. Repeated ones are counted once a minute',
    unit: '{request}',
    kind: 'counter',
    labels: ['reason'],
    read: () => [...counts].map(([reason, value]) => ({ labels: { reason }, value })),
  });
}

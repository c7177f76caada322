import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Gauges with a name of counters, which `promtool check metrics` complains of. The same numbers are there by type. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'] as const;

/**
 * Adds the numbers of the process (processor, memory, event loop, garbage collection) to a registry. prom-client cannot stop its timer of the event
 * loop and its observer of collections. They keep no process alive, and end with it.
 */
export function addProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register });
  for (const name of misnamed) register.removeSingleMetric(name);
}

import type { PluginApi } from '../../kernel/index.ts';

/** Called with the end of a process that has begun. */
export type CountChild = (ended: Promise<void>) => void;

/** Adds the number of processes of servers on standard input and output. Returns the function that counts one until its end. */
export function addGauges({ extend }: Pick<PluginApi, 'extend'>): CountChild {
  let running = 0;
  extend.gauge({
    name: 'upstreams.children',
    description: 'Processes of MCP servers on standard input and output, until they are reaped',
    unit: '{process}',
    read: () => running,
  });
  return (ended) => {
    running++;
    void ended.finally(() => running--);
  };
}

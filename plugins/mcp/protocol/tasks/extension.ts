import type { Connection } from '../clients/connection.ts';

/** Name of the extension for tasks (SEP-2663). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Capability for tasks, as clients and servers declare it. */
export const tasksCapability = { extensions: { [tasksExtension]: {} } } as const;

/** Returns true when the client supports tasks. */
export function supportsTasks({ client: { capabilities } }: Pick<Connection, 'client'>): boolean {
  const { extensions } = capabilities as { readonly extensions?: unknown };
  return typeof extensions === 'object' && extensions !== null && Object.hasOwn(extensions, tasksExtension);
}

import type { Connection } from '../../connection.ts';

/** The extension in which a client takes results later (SEP-2663). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** As clients and servers declare it. */
export const tasksCapability = { extensions: { [tasksExtension]: {} } } as const;

/** Whether the client takes results later. */
export function takesTasks({ client: { capabilities } }: Pick<Connection, 'client'>): boolean {
  const { extensions } = capabilities as { readonly extensions?: unknown };
  return typeof extensions === 'object' && extensions !== null && Object.hasOwn(extensions, tasksExtension);
}

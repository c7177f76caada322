import type { DBOS, DBOSClient, DLogger } from '@dbos-inc/dbos-sdk';
import type { registerInternalQueue } from '@dbos-inc/dbos-sdk/internal/eventreceiver';
import { optionalPackage } from '../shared/project/optional-package.ts';

/** The parts of DBOS that the engine uses. */
export interface Dbos {
  readonly DBOS: typeof DBOS;
  readonly DBOSClient: typeof DBOSClient;
  /** Registers a queue whose settings apply to this process only. Settings of ordinary queues are shared by all processes. */
  readonly registerInternalQueue: typeof registerInternalQueue;
  /** Creates or updates the tables. `DBOS.migrate` does the same, but prints to standard output. */
  readonly migrate: (url: string, log: DLogger, schema: string) => Promise<void>;
}

/** Imports `@dbos-inc/dbos-sdk`, an optional package, on first use. Throws DEPENDENCY_MISSING. */
export function loadDbos(): Promise<Dbos> {
  return optionalPackage('engine-dbos', '@dbos-inc/dbos-sdk', async () => {
    const [{ DBOS, DBOSClient }, { registerInternalQueue }, { migrateSystemDatabase }] = await Promise.all([
      import('@dbos-inc/dbos-sdk'),
      import('@dbos-inc/dbos-sdk/internal/eventreceiver'),
      import('@dbos-inc/dbos-sdk/internal/system_database'),
    ]);
    return {
      DBOS,
      DBOSClient,
      registerInternalQueue,
      migrate: (url, log, schema) => migrateSystemDatabase(url, log as Parameters<typeof migrateSystemDatabase>[1], schema),
    };
  });
}

import type { DBOS, DBOSClient, DLogger } from '@dbos-inc/dbos-sdk';
import type { registerInternalQueue } from '@dbos-inc/dbos-sdk/internal/eventreceiver';
import { optionalPackage } from '../shared/project/optional-package.ts';

/** What is used of DBOS. */
export interface Dbos {
  readonly DBOS: typeof DBOS;
  readonly DBOSClient: typeof DBOSClient;
  /** For packages that feed queues of their own: a queue whose settings are those of this process. Those of the others are the same everywhere. */
  readonly registerInternalQueue: typeof registerInternalQueue;
  /** Makes the tables, or brings them up to date: what `DBOS.migrate` does, which prints to standard output. */
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

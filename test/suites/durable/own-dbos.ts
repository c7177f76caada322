import { createRequire } from 'node:module';
import type { Dbos } from '../../../plugins/engine-dbos/load-dbos.ts';

const require = createRequire(import.meta.url);

/** DBOS as another process has it: what runs of it runs once for each copy of its modules. */
export async function ownDbos(): Promise<Dbos> {
  for (const file of Object.keys(require.cache)) if (file.includes('@dbos-inc')) delete require.cache[file];
  const { DBOS, DBOSClient } = require('@dbos-inc/dbos-sdk') as Dbos;
  const { registerInternalQueue } = require('@dbos-inc/dbos-sdk/internal/eventreceiver') as Dbos;
  const { migrateSystemDatabase: migrate } = require('@dbos-inc/dbos-sdk/internal/system_database') as {
    readonly migrateSystemDatabase: Dbos['migrate'];
  };
  return { DBOS, DBOSClient, registerInternalQueue, migrate };
}

import type pg from 'pg';
import { type Finding, messageOf } from '../../../kernel/index.ts';
import { refuseSharedConnection } from '../../shared/cluster/shared-connection.ts';
import { urlsOfHosts } from '../../shared/state/postgres-hosts.ts';
import { loadPg } from '../load-pg.ts';
import { clientSettings } from '../store-client.ts';
import { storeLimits } from '../store-limits.ts';
import { examineClock, examineLatency } from './examine-clock.ts';
import { examineRights, type OpenClient } from './examine-rights.ts';
import { examineServer, type ServerReport } from './examine-server.ts';
import { examineTables } from './examine-tables.ts';

const pooler = 'Store pooler';

/** Examines the database of this URL with connections of its own, which leave nothing behind. Never throws for a problem of the database. */
export async function examineStore(url: string): Promise<readonly Finding[]> {
  const { Client } = await loadPg();
  const createClient = (host: string): pg.Client => {
    const client = new Client({ ...clientSettings(storeLimits), connectionString: host });
    // The pending statement rejects.
    client.on('error', () => {});
    return client;
  };
  const servers: readonly ServerReport[] = await Promise.all(urlsOfHosts(url).map((host) => examineServer(host, createClient(host))));
  const findings = servers.map(({ finding }) => finding);
  const writer = servers.find(({ isWriter }) => isWriter);
  if (writer === undefined) return findings;
  const open: OpenClient = async () => {
    const client = createClient(writer.url);
    await client.connect();
    return client;
  };
  const client = await open();
  try {
    const pooled = await examinePooler(client, () => createClient(writer.url));
    findings.push(pooled);
    // Behind such a pooler the other answers would be those of several connections.
    if (pooled.state !== 'ok') return findings;
    findings.push(...(await examineRights(client, open)));
    findings.push(await examineTables(client), await examineClock(client), await examineLatency(client));
    return findings;
  } catch (error) {
    return [...findings, { check: 'Store server', state: 'problem', message: `the connection broke: ${messageOf(error)}` }];
  } finally {
    await client.end().catch(() => {});
  }
}

async function examinePooler(client: pg.Client, createClient: () => pg.Client): Promise<Finding> {
  try {
    await refuseSharedConnection(client, createClient);
    return { check: pooler, state: 'ok', message: 'each connection has a backend of its own' };
  } catch (error) {
    return { check: pooler, state: 'problem', message: messageOf(error).replace(/\.$/, '') };
  }
}

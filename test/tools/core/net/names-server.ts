import dns from 'node:dns';
import { type DnsServer, startDnsServer, type Zone } from '../../../../fixtures/servers/dns.ts';
import { afterEach } from '../../../support/after-each.ts';

const own = dns.getServers();
const servers: DnsServer[] = [];

/** A DNS server that this process asks until the end of the test. */
export async function namesServer(zone: Zone, onQuestion?: (question: string) => void): Promise<DnsServer> {
  const server = await startDnsServer(zone, onQuestion);
  servers.push(server);
  dns.setServers([`127.0.0.1:${server.port}`]);
  return server;
}

afterEach(async () => {
  dns.setServers(own);
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

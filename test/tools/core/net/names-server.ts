import { createSocket, type Socket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { type DnsServer, startDnsServer, type Zone } from '../../../../fixtures/servers/dns.ts';
import { afterEach } from '../../../support/after-each.ts';

const own = dns.getServers();
const servers: DnsServer[] = [];
const sockets: Socket[] = [];

/** A DNS server that this process asks until the end of the test. */
export async function namesServer(zone: Zone, onQuestion?: (question: string) => void): Promise<DnsServer> {
  const server = await startDnsServer(zone, onQuestion);
  servers.push(server);
  dns.setServers([`127.0.0.1:${server.port}`]);
  return server;
}

/** Has this process ask a server that is not there: the port belongs to a socket that takes nothing from others. */
export async function noNamesServer(): Promise<void> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.connect(9, '127.0.0.1');
  await once(socket, 'connect');
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
}

afterEach(async () => {
  dns.setServers(own);
  for (const socket of sockets.splice(0)) socket.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

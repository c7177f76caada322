import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach } from '../../../support/after-each.ts';

const servers = new Map<net.Server, Set<net.Socket>>();
const programs: ChildProcess[] = [];

export interface Listener {
  readonly port: number;
  /** Number of bytes that each closed connection sent. */
  readonly closed: readonly number[];
  /** Resolves when so many connections are over. */
  readonly whenClosed: (count: number) => Promise<void>;
}

/** A TCP server that counts what it gets. `greet` sees every new connection. `port`: 0 for a free one. */
export async function listener(address = '127.0.0.1', greet: (socket: net.Socket) => void = () => {}, port = 0): Promise<Listener> {
  const closed: number[] = [];
  const sockets = new Set<net.Socket>();
  const closings = new EventEmitter();
  const server = net.createServer((socket) => {
    let bytes = 0;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      bytes += data.length;
    });
    socket.on('close', () => {
      closed.push(bytes);
      closings.emit('closed');
    });
    greet(socket);
  });
  servers.set(server, sockets);
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  const whenClosed = async (count: number): Promise<void> => {
    while (closed.length < count) await once(closings, 'closed');
  };
  return { port: (server.address() as net.AddressInfo).port, closed, whenClosed };
}

/** Takes one connection into a queue of one, and never out of it. */
const deafProgram = `
import socket, sys
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(0)
waiting = socket.create_connection(server.getsockname())
print(server.getsockname()[1], flush=True)
sys.stdin.read()
`;

/** A port of 127.0.0.1 that does not answer, because its queue of connections is full. */
export async function deafPort(): Promise<number> {
  const program = spawn('python3', ['-c', deafProgram], { stdio: ['pipe', 'pipe', 'inherit'] });
  programs.push(program);
  for await (const line of createInterface({ input: program.stdout })) return Number(line);
  throw new Error('The program that should not answer ended before it said at which port.');
}

afterEach(async () => {
  for (const program of programs.splice(0)) program.kill('SIGKILL');
  for (const [server, sockets] of servers) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
  servers.clear();
});

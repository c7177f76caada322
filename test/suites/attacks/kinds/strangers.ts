import type { Socket } from 'node:net';
import { expect } from 'chai';
import { forFile, start } from '../../../e2e/program.ts';
import { project } from '../../../e2e/project.ts';
import type { Attack, AttackKind } from '../attack.ts';
import { configuration, token } from '../attack-server.ts';
import { Siege, type SiegeOptions, served } from '../siege.ts';

/** Descriptors of the server: fewer than the connections that strangers open. */
const openFiles = 400;

const ports = new Map<string, Promise<number>>();

/** A server with few descriptors that all rows share; another one over TLS. */
function limitedPort(...flags: readonly string[]): Promise<number> {
  const known = ports.get(flags.join());
  if (known !== undefined) return known;
  const starting = forFile(async () => {
    const cwd = await project({ 'toolkit.config.yaml': configuration('strict') });
    const server = start(['mcp', '--transport', 'http', '--port', '0', '--token', token, '--expose', 'search', ...flags], {
      cwd,
      openFiles,
    });
    const [, port] = await server.waitFor(/MCP server: \S+:(\d+)\/mcp\n/);
    return Number(port);
  });
  ports.set(flags.join(), starting);
  return starting;
}

/** A client with a token comes so many times, each over a connection of its own. */
const visits = 5;

interface Row extends SiegeOptions {
  readonly id?: string;
  readonly subject: string;
  readonly attempt: string;
  readonly before: string;
  readonly isSecure?: boolean;
}

const row = ({ id, subject, attempt, before, isSecure = false, ...siege }: Row): Attack => ({
  ...(id === undefined ? {} : { id }),
  subject,
  attempt,
  before,
  // A stranger reaches no tool, so the modes are one; and the server is one of its own, with few descriptors.
  modes: ['strict'],
  transports: ['HTTP'],
  async run() {
    const port = await limitedPort(...(isSecure ? ['--self-signed'] : []));
    const strangers = await Siege.begin(port, siege);
    try {
      for (let visit = 0; visit < visits; visit++) expect(await served(port, { isSecure })).to.equal('HTTP/1.1 200 OK');
    } finally {
      strangers.end();
    }
  },
});

const sends =
  (text: string) =>
  (socket: Socket): void =>
    void socket.write(text);

/** Sends again whenever the system has taken what was sent, and something came back. */
const repeats =
  (text: string) =>
  (socket: Socket): void => {
    socket.write(text);
    socket.on('data', () => socket.write(text));
  };

const shutOut = 'a client with a token got ECONNRESET, or no answer';

const attacks: readonly Attack[] = [
  row({
    id: 'A24',
    subject: 'half a header',
    attempt: '600 connections send half a header, and are renewed',
    before: shutOut,
    begin: sends('POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Half: '),
  }),
  row({ subject: 'silence', attempt: '600 connections send nothing', before: shutOut, begin: () => {} }),
  row({
    subject: 'half a body',
    attempt: '600 connections announce a body that does not come',
    before: shutOut,
    begin: sends('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{'),
  }),
  row({
    subject: 'keep-alive',
    attempt: '600 connections stay open after a refusal',
    before: shutOut,
    begin: sends('GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n'),
  }),
  row({
    subject: 'many addresses',
    attempt: 'each of 600 connections comes from an address of its own',
    before: shutOut,
    from: (index) => `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`,
    begin: sends('POST /mcp HTTP/1.1\r\n'),
  }),
  row({
    subject: 'pipelining',
    attempt: 'each of 600 connections sends fifty requests at once',
    before: shutOut,
    begin: sends('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50)),
  }),
  row({
    subject: 'Expect: 100-continue',
    attempt: '600 connections wait to be told to go on',
    before: shutOut,
    begin: sends('POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n'),
  }),
  row({
    subject: 'chunks',
    attempt: '600 connections send a body by single chunks that never end',
    before: shutOut,
    begin: (socket) => {
      socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
      repeats('1\r\nx\r\n')(socket);
    },
  }),
  row({
    subject: 'unread answers',
    attempt: '600 connections ask for the state and read no answer',
    before: shutOut,
    isDeaf: true,
    begin: sends('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20)),
  }),
  row({
    subject: 'streams',
    attempt: '600 connections open a stream of events without a token',
    before: shutOut,
    begin: sends('GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n'),
  }),
  row({
    subject: 'wrong tokens',
    attempt: '600 connections try one token after the other',
    before: shutOut,
    begin: repeats('POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\nContent-Length: 0\r\n\r\n'),
  }),
  row({
    subject: 'huge headers',
    attempt: '600 connections send fifteen kilobytes of a header that does not end',
    before: shutOut,
    begin: sends(`POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(15_000)}`),
  }),
  row({
    subject: 'upgrades',
    attempt: '600 connections ask for a web socket and stay',
    before: shutOut,
    begin: sends(
      'GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    ),
  }),
  row({
    subject: 'probes',
    attempt: '600 connections ask whether the server lives, and stay',
    before: shutOut,
    begin: sends('GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  }),
  row({
    subject: 'TLS',
    attempt: '600 connections begin a handshake and say no more',
    before: shutOut,
    isSecure: true,
    // The first bytes of a ClientHello of 512 bytes.
    begin: (socket) => void socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])),
  }),
];

export const strangers: AttackKind = { rule: 'a stranger cannot shut out a client with a token', attacks };

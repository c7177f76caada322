import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { ToolkitError } from '../../kernel/index.ts';
import { LineGate } from '../shared/lines/line-gate.ts';
import { takeLines } from '../shared/lines/take-lines.ts';
import type { LoadParts } from './host-parts.ts';
import { LineWriter } from './peer/line-writer.ts';
import { maxLineBytes, Peer } from './peer/peer.ts';
import { Session } from './session.ts';

/** What a client has not read, in bytes, beyond which nothing more is taken from it. */
const mostUnread = 64 * 1024 * 1024;

/** The same, beyond which it is not told what it can do without. */
const muchUnread = 8 * 1024 * 1024;

/** How long everything may take to end once the client has gone, in milliseconds. */
const endMs = 1500;

/** How long what was said last may wait to be read then, in milliseconds. */
const readMs = 250;

interface Connection {
  readonly input: Readable;
  readonly output: Writable;
  /** For an MCP server, where the client is not there itself. */
  readonly standardOutput: Writable | undefined;
  readonly loadParts: LoadParts;
  /** Ends the host. */
  readonly stopped: Promise<unknown>;
}

/** Serves one client until it asks for the end or goes. Resolves when all that was started has ended, or will with this process. */
export async function serveHost({ input, output, standardOutput, loadParts, stopped }: Connection): Promise<void> {
  const writer = new LineWriter(output);
  const isBehind = (): boolean => writer.unread > muchUnread;
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const peer: Peer = new Peer({
    send: (line) => writer.write(line),
    handle: (method, params, request) => session.handle(method, params, request),
    isBehind,
    mask: (value) => session.mask(value),
  });
  const session = new Session(peer, { loadParts, standardOutput, isBehind, onClose: () => setImmediate(close) });
  const gate = new LineGate({ maxBytes: maxLineBytes, refuse: (refused) => peer.refuse(refused) });
  const release = takeLines(input, gate, (line) => {
    peer.receive(line);
    return writer.unread > mostUnread ? writer.empty() : undefined;
  });
  const gone = Promise.race([once(input, 'end'), once(input, 'close'), once(output, 'error'), once(output, 'close')]).catch(() => {});
  const ended = Promise.race([gone, stopped]);
  await Promise.race([closed, ended]);
  // Who has asked for the end reads the answer; who has gone may still read what was said before.
  const tooLate = ended.then(() => setTimeout(readMs, undefined, { ref: false }));
  await Promise.race([writer.empty(), tooLate]);
  release();
  peer.close(new ToolkitError('ABORTED', 'The host is ending.'));
  await Promise.race([session.close(), setTimeout(endMs)]);
}

import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { ToolkitError } from '../../kernel/index.ts';
import { LineGate, readLines } from '../shared/json-rpc/lines.ts';
import type { LoadParts } from './host-parts.ts';
import { HostPeer, maxLineBytes } from './peer/host-peer.ts';
import { LineWriter } from './peer/line-writer.ts';
import { Session } from './session.ts';

/** Unread output in bytes above which the host reads no more input. */
const maxUnreadBytes = 64 * 1024 * 1024;

/** Unread output in bytes above which optional notifications are dropped. */
const slowClientBytes = 8 * 1024 * 1024;

/** Time limit of the shutdown after the client has gone, in milliseconds. */
const shutdownMs = 1500;

/** Time that the client has to read the last output at the end, in milliseconds. */
const lastReadMs = 250;

interface Connection {
  readonly input: Readable;
  readonly output: Writable;
  /** Standard output for an MCP server, where the client does not use it itself. */
  readonly standardOutput: Writable | undefined;
  readonly loadParts: LoadParts;
  /** Ends the host when it resolves. */
  readonly stopped: Promise<unknown>;
}

/** Serves one client until it calls `close` or disconnects. Resolves when everything it started has ended, or will end with this process. */
export async function serveHost({ input, output, standardOutput, loadParts, stopped }: Connection): Promise<void> {
  const writer = new LineWriter(output);
  const isBehind = (): boolean => writer.unread > slowClientBytes;
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const peer: HostPeer = new HostPeer({
    send: (line) => writer.write(line),
    handle: (method, params, request) => session.handle(method, params, request),
    isBehind,
    mask: (value) => session.mask(value),
  });
  const session = new Session(peer, { loadParts, standardOutput, isBehind, onClose: () => setImmediate(close) });
  const gate = new LineGate({ maxBytes: maxLineBytes, refuse: (refused) => peer.refuse(refused) });
  const release = readLines(input, gate, (line) => {
    peer.receive(line);
    return writer.unread > maxUnreadBytes ? writer.empty() : undefined;
  });
  const disconnected = Promise.race([once(input, 'end'), once(input, 'close'), once(output, 'error'), once(output, 'close')]).catch(
    () => {},
  );
  const ended = Promise.race([disconnected, stopped]);
  await Promise.race([closed, ended]);
  // A client that called `close` reads the response. A client that disconnected may still read earlier output.
  const tooLate = ended.then(() => setTimeout(lastReadMs, undefined, { ref: false }));
  await Promise.race([writer.empty(), tooLate]);
  release();
  peer.close(new ToolkitError('ABORTED', 'The host is ending.'));
  await Promise.race([session.close(), setTimeout(shutdownMs)]);
}

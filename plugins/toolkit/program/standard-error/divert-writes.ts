import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Receives the data that was written to the descriptor. */
type OnData = (data: string | Uint8Array) => void;

/** Handles the arguments of a write after the descriptor. Returns the number of bytes, for functions that return it. */
type HandleWrite = (data: unknown, rest: readonly unknown[]) => number | undefined;

type Callback = (error: null, count?: number, data?: unknown) => void;

/** Diverts writes of this thread to descriptor 2 through `node:fs`, which some loggers use. */
export function divertWrites(onData: OnData): void {
  const handle = (data: Uint8Array): number => {
    onData(data);
    return data.length;
  };
  const one: HandleWrite = (data, rest) => handle(writtenBytes(data, rest));
  const several: HandleWrite = (data) => (data as readonly unknown[]).reduce((sum: number, chunk) => sum + handle(bytes(chunk)), 0);
  const whole: HandleWrite = (data) => void handle(bytes(data));
  for (const [name, handleWrite] of Object.entries({ write: one, writev: several, writeFile: whole, appendFile: whole })) {
    divert(`${name}Sync`, (_, ...args) => handleWrite(args[0], args.slice(1)));
    divert(name, (_, ...args) => {
      const count = handleWrite(args[0], args.slice(1));
      const callback = args.findLast((argument) => typeof argument === 'function') as Callback | undefined;
      process.nextTick(() => (count === undefined ? callback?.(null) : callback?.(null, count, args[0])));
    });
  }
  syncBuiltinESMExports();
}

function divert(name: string, replacement: (...args: unknown[]) => unknown): void {
  const original = fs[name as keyof typeof fs] as (...args: unknown[]) => unknown;
  Object.assign(fs, { [name]: (...args: unknown[]) => (args[0] === 2 ? replacement : original)(...args) });
}

/** Returns the written bytes of `fs.write(fd, buffer, offset, length)`, its form with options, or `fs.write(fd, text, position, encoding)`. */
function writtenBytes(data: unknown, [first, second]: readonly unknown[]): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, typeof second === 'string' ? (second as BufferEncoding) : 'utf8');
  const all = bytes(data);
  const named = typeof first === 'object' && first !== null ? first : { offset: first, length: second };
  const { offset, length } = named as { readonly offset?: unknown; readonly length?: unknown };
  const start = typeof offset === 'number' ? offset : 0;
  return all.subarray(start, typeof length === 'number' ? start + length : undefined);
}

function bytes(data: unknown): Uint8Array {
  if (!ArrayBuffer.isView(data)) return Buffer.from(String(data));
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

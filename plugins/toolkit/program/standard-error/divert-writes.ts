import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Receives the data that was written to the descriptor. */
type Take = (data: string | Uint8Array) => void;

/** Handles the arguments of a write after the descriptor. Returns the number of bytes, for functions that return it. */
type Written = (data: unknown, rest: readonly unknown[]) => number | undefined;

type Callback = (error: null, count?: number, data?: unknown) => void;

/** Diverts writes of this thread to descriptor 2 through `node:fs`, which some loggers use. */
export function divertWrites(take: Take): void {
  const taken = (data: Uint8Array): number => {
    take(data);
    return data.length;
  };
  const one: Written = (data, rest) => taken(part(data, rest));
  const several: Written = (data) => (data as readonly unknown[]).reduce((sum: number, chunk) => sum + taken(bytes(chunk)), 0);
  const whole: Written = (data) => void taken(bytes(data));
  for (const [name, written] of Object.entries({ write: one, writev: several, writeFile: whole, appendFile: whole })) {
    divert(`${name}Sync`, (_, ...args) => written(args[0], args.slice(1)));
    divert(name, (_, ...args) => {
      const count = written(args[0], args.slice(1));
      const callback = args.findLast((given) => typeof given === 'function') as Callback | undefined;
      process.nextTick(() => (count === undefined ? callback?.(null) : callback?.(null, count, args[0])));
    });
  }
  syncBuiltinESMExports();
}

function divert(name: string, instead: (...args: unknown[]) => unknown): void {
  const original = fs[name as keyof typeof fs] as (...args: unknown[]) => unknown;
  Object.assign(fs, { [name]: (...args: unknown[]) => (args[0] === 2 ? instead : original)(...args) });
}

/** Returns the written bytes of `fs.write(fd, buffer, offset, length)`, its form with options, or `fs.write(fd, text, position, encoding)`. */
function part(data: unknown, [first, second]: readonly unknown[]): Uint8Array {
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

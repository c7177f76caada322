import { Writable } from 'node:stream';
import { divertDescriptor } from './divert-descriptor.ts';

/**
 * Reserves standard output for its owner: other prints, by a tool or a library, go to standard error. Does not affect a program that
 * inherits the descriptor.
 */
export function reserveStdout(): { stream: Writable; release(): void } {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const stream = new Writable({
    write: write as (chunk: unknown, encoding: BufferEncoding, callback: (error?: Error | null) => void) => void,
    writev: (chunks, callback) => void write(Buffer.concat(chunks.map(({ chunk }) => chunk as Uint8Array)), callback),
  });
  const onError = (error: Error): void => void stream.destroy(error);
  stdout.on('error', onError);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  const restore = divertDescriptor();
  return {
    stream,
    release() {
      stdout.write = write as typeof stdout.write;
      stdout.off('error', onError);
      restore();
    },
  };
}

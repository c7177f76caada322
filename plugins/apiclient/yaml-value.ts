import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { codeRoot } from '../shared/project/layout.ts';
import { failed } from './failed.ts';

/** Characters that take a few milliseconds, less than the start of a thread. */
const maxInline = 16 * 1024;

/** The value of a YAML text; a long one is read in a thread of its own. Throws an Error that says what is wrong, and the reason of the signal. */
export async function yamlValue(text: string, signal: AbortSignal): Promise<unknown> {
  if (text.length <= maxInline) return (await import('yaml')).parse(text, { logLevel: 'error' });
  signal.throwIfAborted();
  const thread = new Worker(path.join(codeRoot(), 'plugins', 'apiclient', 'yaml-thread.cjs'), { workerData: text, execArgv: [] });
  const stop = (): void => void thread.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const { value, problem } = await new Promise<{ value?: unknown; problem?: string }>((resolve, reject) => {
      thread.once('message', resolve).once('messageerror', reject).once('error', reject);
      thread.once('exit', () => reject(signal.aborted ? signal.reason : failed('its reading was ended')));
    });
    if (problem !== undefined) throw failed(problem);
    return value;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

import { Worker } from 'node:worker_threads';
import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';

export type PageFormat = 'markdown' | 'text' | 'html';

export interface RenderedPage {
  readonly title: string | null;
  readonly content: string;
}

export interface RenderOptions {
  readonly format: PageFormat;
  /** What relative addresses are relative to, unless the page says otherwise. */
  readonly url: string;
  /** The module that does the work. */
  readonly thread: URL;
  readonly signal: AbortSignal;
}

/** Megabytes that a page may take in its thread. */
const maxMemoryMb = 512;

/**
 * Turns HTML into the wanted format, in a thread of its own: some pages take minutes, and the libraries cannot be interrupted. Rejects with
 * the reason of the signal, or with EXECUTION_FAILED.
 */
export async function renderPage(html: string, { format, url, thread, signal }: RenderOptions): Promise<RenderedPage> {
  signal.throwIfAborted();
  const worker = new Worker(thread, {
    workerData: { html, format, url },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, stackSizeMb: 16 },
  });
  try {
    return await new Promise<RenderedPage>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      worker.once('message', resolve);
      worker.once('error', (error) => reject(unreadable(format, url, error)));
      worker.once('exit', () => reject(unreadable(format, url, 'its thread ended')));
    });
  } finally {
    await worker.terminate();
  }
}

function unreadable(format: PageFormat, address: string, error: unknown): ToolkitError {
  const url = excerpt(address);
  const advice = format === 'html' ? 'Read less of it with "max_bytes"' : 'Ask for the format html';
  return new ToolkitError('EXECUTION_FAILED', `${url} cannot be turned into ${format}: ${excerpt(messageOf(error))}. ${advice}.`, {
    url,
  });
}

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { parseUrl, type Terminal, ToolkitError, toUrl } from '../../../kernel/index.ts';
import { prompts } from '../../shared/terminal/prompts.ts';

/**
 * Reads the address at which a browser ended after a login, from a person at the terminal or from a line of standard input. Does not show it: it
 * holds a code. Undefined when the input ends, or `signal` is aborted. Throws INVALID_PARAMETERS for another address.
 */
export async function readPasted(terminal: Terminal, redirectUri: string, signal: AbortSignal): Promise<URLSearchParams | undefined> {
  const text = terminal.isInteractive ? await askedText(terminal, redirectUri, signal) : await firstLine(terminal, signal);
  return text === undefined ? undefined : redirectOf(text, redirectUri);
}

async function askedText(terminal: Terminal, redirectUri: string, signal: AbortSignal): Promise<string | undefined> {
  const { hidden } = await prompts(terminal, signal);
  try {
    return await hidden(`Paste the address that the browser ends at (it begins with ${redirectUri}), or wait`);
  } catch (error) {
    // The listener was first.
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function firstLine({ input }: Terminal, signal: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input });
  try {
    const [line] = (await Promise.race([once(lines, 'line', { signal }), once(lines, 'close', { signal })])) as [string?];
    return line === undefined || line.trim() === '' ? undefined : line;
  } catch {
    return undefined;
  } finally {
    lines.close();
    input.pause();
  }
}

/** Returns the parameters of a redirect. Throws INVALID_PARAMETERS for an address other than `redirectUri`. */
export function redirectOf(text: string, redirectUri: string): URLSearchParams {
  const url = parseUrl(text.trim());
  const expected = toUrl(redirectUri);
  if (url !== undefined && url.origin === expected.origin && url.pathname === expected.pathname) return url.searchParams;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `Nothing was connected: expected the address that the browser ends at, which begins with ${redirectUri}, received ${url === undefined ? 'something else' : 'another address'}. Copy the whole address, and begin again.`,
  );
}

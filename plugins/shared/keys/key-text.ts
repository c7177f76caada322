import { ToolkitError } from '../../../kernel/index.ts';

/** The key that signs, and the one before it, of which what was signed is still taken. */
export interface HostKeyTexts {
  readonly current: string;
  readonly previous?: string;
}

const shortestBytes = 32;

/** Throws CONFIG_INVALID for a key that could be guessed. `what` names it; nothing of it is quoted. */
export function checkKey(what: string, key: string): void {
  const bytes = Buffer.byteLength(key);
  if (bytes >= shortestBytes) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `${what} is too short: expected at least ${shortestBytes} bytes of random text, received ${bytes}. "openssl rand -base64 32" makes one.`,
  );
}

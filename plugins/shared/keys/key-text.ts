import { ToolkitError } from '../../../kernel/index.ts';

/** The signing key, and the previous key, whose signatures are still accepted. */
export interface HostKeyTexts {
  readonly current: string;
  readonly previous?: string;
}

const minBytes = 32;

/** Throws CONFIG_INVALID for a key that could be guessed. `what`: its name in the message, which never quotes the key. */
export function checkKey(what: string, key: string): void {
  const bytes = Buffer.byteLength(key);
  if (bytes >= minBytes) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `${what} is too short: expected at least ${minBytes} bytes of random text, received ${bytes}. "openssl rand -base64 32" makes one.`,
  );
}

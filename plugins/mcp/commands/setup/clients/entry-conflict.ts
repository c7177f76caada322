import { excerpt, isPlainObject, parseUrl } from '../../../../../kernel/index.ts';
import type { ServerEntry } from './clients.ts';

/** The server that an entry connects to, as far as the entry tells. */
interface ServerTarget {
  readonly transport: 'stdio' | 'http';
  /** The folder of the project, or the origin of the URL. */
  readonly location?: string;
}

/**
 * Describes the conflict when the former entry connects to another server, or to the same one by another transport: it may be in use and
 * is replaced only after the user agrees. Undefined when the new entry only updates it.
 */
export function entryConflict(former: unknown, { entry }: ServerEntry): string | undefined {
  const [old, next] = [targetOf(former), targetOf(entry)];
  if (old === undefined || next === undefined) return undefined;
  if (old.transport === next.transport && (old.location === undefined || old.location === next.location)) return undefined;
  if (old.transport === 'http') return `reaches a server over HTTP${old.location === undefined ? '' : ` at ${excerpt(old.location, 200)}`}`;
  if (old.location === undefined) return 'starts a server over stdio';
  return old.location === next.location || next.location === undefined || next.transport === 'http'
    ? `starts the server of ${excerpt(old.location, 200)} over stdio`
    : `belongs to another project, ${excerpt(old.location, 200)}`;
}

function targetOf(entry: unknown): ServerTarget | undefined {
  if (!isPlainObject(entry)) return undefined;
  const { command, url, serverUrl, args, env } = entry;
  const words: readonly unknown[] = Array.isArray(args) ? args : [];
  const address = url ?? serverUrl ?? (words.includes('mcp-remote') ? words.find(isAddress) : undefined);
  // Only the origin: user name, path and query may hold a secret.
  if (typeof address === 'string') return { transport: 'http', ...withLocation(parseUrl(address)?.origin) };
  if (typeof command !== 'string') return undefined;
  const flag = words.indexOf('--cwd');
  const folder = isPlainObject(env) && env['TOOLKIT_CWD'] !== undefined ? env['TOOLKIT_CWD'] : flag === -1 ? undefined : words[flag + 1];
  return { transport: 'stdio', ...withLocation(typeof folder === 'string' ? folder : undefined) };
}

function isAddress(word: unknown): word is string {
  return typeof word === 'string' && /^https?:\/\//.test(word);
}

function withLocation(value: string | undefined): Partial<ServerTarget> {
  return value === undefined ? {} : { location: value };
}

/** Suggests a name for a second entry, made of the project's folder or the transport. */
export function otherName(name: string, former: unknown, { entry }: ServerEntry): string {
  const [old, next] = [targetOf(former), targetOf(entry)];
  const folder = next?.transport === 'stdio' ? next.location : undefined;
  const own =
    old?.transport === next?.transport
      ? folder
          ?.split(/[/\\]/)
          .at(-1)
          ?.replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      : next?.transport;
  return `${name}-${own === undefined || own === '' ? 'other' : own}`.slice(0, 64);
}

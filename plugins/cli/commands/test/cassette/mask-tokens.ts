import { isPlainObject } from '../../../../../kernel/index.ts';
import { credentialPatterns, secretNameOf } from './secret-names.ts';

/** Called with each value that was removed. */
export type OnToken = (name: string, value: string) => void;

/** Maximum depth of texts inside texts, such as JSON in a form in a query. */
const maxDepth = 6;

/**
 * Replaces credentials by `[secret <name>]`: each value under a name such as `authorization`, `cookie` or `access_token`. Finds it as a member,
 * a pair of name and value, a header line, in a query, a form, XML, multipart or base64, and in texts inside these. Masked values stay.
 * Returns the same value when there is nothing to replace.
 */
export function maskTokens<T>(value: T, onToken: OnToken): T {
  return new TokenMasker(onToken).value(value, 0) as T;
}

class TokenMasker {
  readonly #onToken: OnToken;

  constructor(onToken: OnToken) {
    this.#onToken = onToken;
  }

  value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value, depth);
    if (Array.isArray(value)) return this.#list(value, depth);
    return isPlainObject(value) ? this.#members(value, depth) : value;
  }

  #members(value: Readonly<Record<string, unknown>>, depth: number): unknown {
    // `{ name: 'Authorization', value: … }`, the format of header lists.
    const pair = ['name', 'key', 'header', 'field']
      .map((key) => value[key])
      .find((name) => typeof name === 'string' && secretNameOf(name) !== undefined);
    return mapMembers(value, (member, key) => {
      const name =
        secretNameOf(key) ?? (pair !== undefined && /^(value|val|content|text)$/i.test(key) ? secretNameOf(String(pair)) : undefined);
      if (name !== undefined && !isSchema(member)) return this.#secret(name, member);
      return key === 'base64' && typeof member === 'string' ? this.#bytes(member, depth) : this.value(member, depth);
    });
  }

  #list(list: readonly unknown[], depth: number): unknown {
    const items = list.map((item, index) => {
      const before: unknown = list[index - 1];
      // `--access-token`, `t0k3n`: arguments of programs and raw header lists.
      const name = typeof before === 'string' && before.length < 50 ? secretNameOf(before) : undefined;
      return name !== undefined && typeof item === 'string' && isTokenLike(item) ? this.#secret(name, item) : this.value(item, depth);
    });
    return items.every((item, index) => item === list[index]) ? list : items;
  }

  /** Replaces every text and number in a value under such a name. */
  #secret(name: string, value: unknown): unknown {
    if (typeof value === 'string' || typeof value === 'number') return this.#replacement(name, String(value)) ?? value;
    if (Array.isArray(value)) return value.map((item) => this.#secret(name, item));
    return isPlainObject(value) ? mapMembers(value, (member) => this.#secret(name, member)) : value;
  }

  /** Returns the replacement; undefined when there is nothing to replace. */
  #replacement(name: string, value: string): string | undefined {
    if (isMasked(value)) return undefined;
    const [, scheme = '', token = value] = /^((?:bearer|basic|token)\s+)(.+)$/is.exec(value) ?? [];
    this.#onToken(name, token);
    return `${scheme}[secret ${name}]`;
  }

  #text(text: string, depth: number): string {
    if (depth > maxDepth || text.length < 8) return text;
    const json = parseJson(text);
    if (json !== undefined) {
      const value = this.value(json, depth + 1);
      return value === json ? text : JSON.stringify(value);
    }
    const named = credentialPatterns.reduce(
      (rest, pattern) =>
        rest.replace(pattern, (all: string, before: string, name: string, between: string, value: string) => {
          const token = this.#replacement(secretNameOf(name) ?? 'authorization', value);
          return token === undefined ? all : before + name + between + token;
        }),
      text,
    );
    return named.includes('%') ? this.#encoded(named, depth) : named;
  }

  /** Replaces in values of a query or a form that are such texts themselves, and handles encoded names. */
  #encoded(text: string, depth: number): string {
    return text.replace(/([^?&;#\s"'=]*)=([^&;#\s"']*)/g, (all: string, name: string, value: string) => {
      const decoded = decodedText(value);
      const secret = secretNameOf(decodedText(name) ?? name);
      if (decoded === undefined) return all;
      const safe = secret === undefined ? this.#text(decoded, depth + 1) : (this.#replacement(secret, decoded) ?? decoded);
      return safe === decoded ? all : `${name}=${encodeURIComponent(safe)}`;
    });
  }

  #bytes(base64: string, depth: number): string {
    const text = Buffer.from(base64, 'base64').toString('latin1');
    const safe = this.#text(text, depth + 1);
    return safe === text ? base64 : Buffer.from(safe, 'latin1').toString('base64');
  }
}

function mapMembers(
  value: Readonly<Record<string, unknown>>,
  change: (member: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(value).map(([key, member]) => [key, change(member, key)] as const);
  return entries.every(([key, member]) => member === value[key]) ? value : Object.fromEntries(entries);
}

/** True for `*` (any value), nothing, and a value of masks and a scheme only. */
function isMasked(value: string): boolean {
  return /^\**$/.test(
    value
      .replace(/(?:\[|%5B)secret(?: |%20|\+)[^\]%]*(?:\]|%5D)/gi, '')
      .replace(/\b(?:bearer|basic|token)\b/gi, '')
      .trim(),
  );
}

/** True for the JSON Schema of such a member, which holds no credential. */
function isSchema(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  return '$ref' in value || /^(string|number|integer|object|array|boolean|null)$/.test(String(value['type']));
}

function isTokenLike(text: string): boolean {
  return text.length >= 8 && /\d|^(bearer|basic)\s/i.test(text) && !/^\[secret /.test(text);
}

/** Parses a text that is an object or a list. Undefined for other texts, and for numbers that JavaScript may not hold exactly. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || /\d{16}/.test(text)) return undefined;
  try {
    // No number: of 16 digits stands in it
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decodedText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

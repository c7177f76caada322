import { type Node, parseTree, visit } from 'jsonc-parser';
import type { ServerEntry } from './clients.ts';

/** Replaces a value that may be a secret. */
const maskedValue = '"***"';

/** Replaces a comment: a server that was commented out has its keys there. */
const maskedComments = { '//': '// ***', '/*': '/* *** */' } as const;

interface MaskedRange {
  readonly offset: number;
  readonly length: number;
  readonly replacement: string;
}

/** Members whose text values are never secret. */
const plainMembers = new Set(['type', 'command']);

/** Our flags whose values are never secret. */
const plainFlags = new Set([
  ...['-t', '-p', '--transport', '--port', '--host', '--tools', '--exclude', '--expose', '--pin', '--approval'],
  ...['--secrets', '--env-file', '--tool-paths', '--config', '--cwd'],
]);

/**
 * Replaces all comments and text values with `***`, except values of this server: other servers and settings may hold keys and tokens
 * anywhere. Values of the server's former entry are shown when they are known not to be secret.
 */
export function maskSecrets(text: string, server: ServerEntry): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return text;
  const own = new Set(stringsOf([server.entry, server.inputs]));
  if (server.holdsToken === true && server.authorization !== undefined) own.delete(server.authorization);
  const values = secretNodes(root, [], server, own).map(
    ({ offset, length }): MaskedRange => ({ offset, length, replacement: maskedValue }),
  );
  let shown = '';
  let at = 0;
  for (const range of [...values, ...commentsOf(text)].sort((one, other) => one.offset - other.offset)) {
    shown += text.slice(at, range.offset) + range.replacement;
    at = range.offset + range.length;
  }
  return shown + text.slice(at);
}

function commentsOf(text: string): MaskedRange[] {
  const comments: MaskedRange[] = [];
  visit(text, {
    onComment: (offset, length) =>
      void comments.push({ offset, length, replacement: maskedComments[text.startsWith('//', offset) ? '//' : '/*'] }),
  });
  return comments;
}

/** `path`: member names; for an item of an array, the text of the item before it. */
function secretNodes(node: Node, path: readonly string[], server: ServerEntry, own: ReadonlySet<unknown>): Node[] {
  if (node.type === 'string') return own.has(node.value) || isPublic(String(node.value), path, server) ? [] : [node];
  if (node.type === 'array')
    return (node.children ?? []).flatMap((child, index, all) =>
      secretNodes(child, [...path, String(all[index - 1]?.value ?? '')], server, own),
    );
  return (node.children ?? []).flatMap(({ children = [] }) => {
    const [key, value] = children;
    return value === undefined ? [] : secretNodes(value, [...path, String(key?.value)], server, own);
  });
}

function isPublic(value: string, [key, name, member = '', last, ...deeper]: readonly string[], server: ServerEntry): boolean {
  if (key !== server.key || name !== server.name || deeper.length > 0) return false;
  if (last === undefined) return plainMembers.has(member) || (/url$/i.test(member) && isPlainUrl(value));
  if (member === 'env') return last === 'TOOLKIT_CWD';
  return member === 'args' && (plainFlags.has(last) || isPlainWord(value));
}

/** True for a flag without a value, the name of our command, or a JavaScript file. */
function isPlainWord(word: string): boolean {
  return /^(--?([a-z][a-z-]*)?|mcp|[^=?]*[/\\][^=?]*\.[cm]?[jt]s)$/i.test(word) && !/\s-/.test(word);
}

/** True for a URL without user name, query and fragment. */
function isPlainUrl(text: string): boolean {
  return /^https?:\/\/[^/?#@]+(\/mcp)?\/?$/i.test(text);
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

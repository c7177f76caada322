import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { describeValue, isPlainObject, type JsonObject, ToolkitError } from '../../../../../kernel/index.ts';
import { jsonProblem } from '../../../../shared/text/json-problem.ts';
import { configurationOf, type ServerEntry, tokenPlaceholder } from './clients.ts';
import { entryConflict } from './entry-conflict.ts';
import { appendValue, removeMember, replaceValue } from './json-edits.ts';

export interface EditOptions {
  /** The file, for messages. */
  readonly file: string;
  readonly hasComments: boolean;
}

const byteOrderMark = '\uFEFF';

/**
 * Returns the file's text with the server added; all other text stays unchanged, comments included. Keeps the token and the `env` values
 * of a former entry of that name. Throws CONFIG_INVALID for a text that cannot be changed safely.
 */
export function withServer(original: string, server: ServerEntry, options: EditOptions): string {
  const mark = original.startsWith(byteOrderMark) ? byteOrderMark : '';
  const text = original.slice(mark.length);
  // Some clients create an empty file.
  if (text.trim() === '') return `${mark}${JSON.stringify(configurationOf(server), null, 2)}\n`;
  const { inputs = [], authorization } = server;
  const changed = withEntry(text, server, options);
  // An entry with its own token needs no prompt for it.
  const needed = authorization === undefined || changed.includes(authorization) ? inputs : [];
  return mark + needed.reduce((own, input) => withInput(own, input, options), changed);
}

/** Returns the entry under the server's name; undefined when there is none. Throws CONFIG_INVALID as `withServer` does. */
export function formerEntry(original: string, { key, name }: Pick<ServerEntry, 'key' | 'name'>, options: EditOptions): unknown {
  const text = original.startsWith(byteOrderMark) ? original.slice(byteOrderMark.length) : original;
  if (text.trim() === '') return undefined;
  const { former } = locateEntry(text, { key, name }, options);
  // The clone has ordinary prototypes.
  return former === undefined ? undefined : structuredClone(getNodeValue(former));
}

/** Returns the text with this value under the server's name, or without that name when the value is undefined. All other text stays unchanged. */
export function withEntryValue(
  original: string,
  { key, name }: Pick<ServerEntry, 'key' | 'name'>,
  value: unknown,
  options: EditOptions,
): string {
  const mark = original.startsWith(byteOrderMark) ? byteOrderMark : '';
  const text = original.slice(mark.length);
  if (text.trim() === '') return value === undefined ? original : `${mark}${JSON.stringify({ [key]: { [name]: value } }, null, 2)}\n`;
  const { root, servers, former } = locateEntry(text, { key, name }, options);
  if (value === undefined) return former === undefined || servers === undefined ? original : mark + removeMember(text, servers, former);
  if (servers === undefined) return mark + appendValue(text, root, key, { [name]: value });
  if (former === undefined) return mark + appendValue(text, servers, name, value);
  return isDeepStrictEqual(structuredClone(getNodeValue(former)), value) ? original : mark + replaceValue(text, former, value);
}

interface EntryLocation {
  readonly root: Node;
  /** The object that holds the servers. */
  readonly servers: Node | undefined;
  readonly former: Node | undefined;
}

function locateEntry(text: string, { key, name }: Pick<ServerEntry, 'key' | 'name'>, options: EditOptions): EntryLocation {
  const root = parseRoot(text, options);
  const servers = uniqueMember(root, key, text, options);
  if (servers === undefined) return { root, servers, former: undefined };
  if (servers.type !== 'object')
    throw refused(options, `has a wrong "${key}": expected an object, received ${kindOf(servers)}`, 'Correct it');
  return { root, servers, former: uniqueMember(servers, name, text, options) };
}

function withEntry(text: string, server: ServerEntry, options: EditOptions): string {
  const { former } = locateEntry(text, server, options);
  const value = former === undefined ? undefined : structuredClone(getNodeValue(former));
  const isOther = entryConflict(value, server) !== undefined;
  return withEntryValue(text, server, isOther ? server.entry : mergeEntry(server, value), options);
}

/** Parses the text. Throws CONFIG_INVALID when it is not a JSON object. */
function parseRoot(text: string, options: EditOptions): Node {
  const errors: ParseError[] = [];
  const { hasComments } = options;
  const root = parseTree(text, errors, { disallowComments: !hasComments, allowTrailingComma: hasComments });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const what = first === undefined ? '' : `: ${positionOf(text, first.offset)}: ${jsonProblem(first.error)}`;
    throw refused(options, `is not JSON${what}`, 'Correct it');
  }
  if (root.type !== 'object') throw refused(options, `holds the wrong thing: expected an object, received ${kindOf(root)}`, 'Correct it');
  return root;
}

/** Finds the value of a member. Throws CONFIG_INVALID for a duplicate name, because programs differ in which one they read. */
function uniqueMember(object: Node, name: string, text: string, options: EditOptions): Node | undefined {
  const own = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  const second = own[1];
  if (second !== undefined) throw refused(options, `has "${name}" twice, again at ${positionOf(text, second.offset)}`, 'Remove one');
  return own[0]?.children?.[1];
}

/**
 * Merges the new entry with the user's values in the former one. Keeps a token that is already there in place of a placeholder. An entry
 * that stores its token elsewhere, or needs none, stays unchanged.
 */
function mergeEntry({ entry, authorization, holdsToken = false }: ServerEntry, former: unknown): JsonObject {
  if (!isPlainObject(former)) return entry;
  const needsToken = (value: unknown): boolean => value === authorization && !holdsToken;
  let isHeldElsewhere = false;
  const merged = (member: 'env' | 'headers'): JsonObject => {
    const own = entry[member];
    if (!isPlainObject(own)) return {};
    const old = isPlainObject(former[member]) ? (former[member] as JsonObject) : {};
    // Header names are case-insensitive.
    const nameIn = (name: string): string =>
      member === 'headers' ? (Object.keys(old).find((known) => known.toLowerCase() === name.toLowerCase()) ?? name) : name;
    const kept = Object.entries(own).map(([name, value]) => {
      const before = old[nameIn(name)];
      if (needsToken(value) && before === undefined) isHeldElsewhere = true;
      return [nameIn(name), needsToken(value) && !isPlaceholder(before) ? before : value];
    });
    return { [member]: { ...old, ...Object.fromEntries(kept) } };
  };
  const next = { ...entry, ...merged('env'), ...merged('headers') };
  return isHeldElsewhere ? (former as JsonObject) : next;
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && value.endsWith(tokenPlaceholder);
}

function withInput(text: string, input: JsonObject, options: EditOptions): string {
  const root = parseRoot(text, options);
  const inputs = uniqueMember(root, 'inputs', text, options);
  if (inputs === undefined) return appendValue(text, root, 'inputs', [input]);
  if (inputs.type !== 'array') throw refused(options, `has wrong "inputs": expected an array, received ${kindOf(inputs)}`, 'Correct it');
  const isThere = (inputs.children ?? []).some((child) => findNodeAtLocation(child, ['id'])?.value === input['id']);
  return isThere ? text : appendValue(text, inputs, undefined, input);
}

function kindOf(node: Node): string {
  return describeValue(getNodeValue(node));
}

function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function refused({ file }: EditOptions, problem: string, advice: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `${file} ${problem}. It is left as it is. ${advice}, or paste the configuration by hand.`, {
    file,
  });
}

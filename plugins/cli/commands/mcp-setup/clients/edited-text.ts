import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { describeValue, isPlainObject, type JsonObject, ToolkitError } from '../../../../../kernel/index.ts';
import { jsonProblem } from '../../../../shared/text/json-problem.ts';
import { configurationOf, type ServerEntry, tokenPlaceholder } from './clients.ts';
import { entryConflict } from './entry-conflict.ts';
import { appended, removed, replaced } from './json-edits.ts';

export interface EditOptions {
  /** The file, for messages. */
  readonly file: string;
  readonly hasComments: boolean;
}

const byteOrderMark = '\uFEFF';

/**
 * The text of a client's file with the server in it; everything else stays as it is written, comments included. Values that the former
 * entry of that name has in `env`, and its token, stay as well. Throws CONFIG_INVALID for a text that cannot be changed with certainty.
 */
export function withServer(written: string, server: ServerEntry, options: EditOptions): string {
  const mark = written.startsWith(byteOrderMark) ? byteOrderMark : '';
  const text = written.slice(mark.length);
  // A file with nothing in it, which some clients make.
  if (text.trim() === '') return `${mark}${JSON.stringify(configurationOf(server), null, 2)}\n`;
  const { inputs = [], authorization } = server;
  const changed = withEntry(text, server, options);
  // Where a token of its own stands, nothing is asked for.
  const needed = authorization === undefined || changed.includes(authorization) ? inputs : [];
  return mark + needed.reduce((own, input) => withInput(own, input, options), changed);
}

/**
 * Returns the value that the file has under the name of the server; undefined where there is none. Throws CONFIG_INVALID as `withServer` does.
 */
export function formerEntry(written: string, { key, name }: Pick<ServerEntry, 'key' | 'name'>, options: EditOptions): unknown {
  const text = written.startsWith(byteOrderMark) ? written.slice(byteOrderMark.length) : written;
  if (text.trim() === '') return undefined;
  const { former } = placeOf(text, { key, name }, options);
  // With ordinary prototypes.
  return former === undefined ? undefined : structuredClone(getNodeValue(former));
}

/** The text with this value under the name, or without the name where the value is undefined; everything else stays as it is written. */
export function withFormer(
  written: string,
  { key, name }: Pick<ServerEntry, 'key' | 'name'>,
  value: unknown,
  options: EditOptions,
): string {
  const mark = written.startsWith(byteOrderMark) ? byteOrderMark : '';
  const text = written.slice(mark.length);
  if (text.trim() === '') return value === undefined ? written : `${mark}${JSON.stringify({ [key]: { [name]: value } }, null, 2)}\n`;
  const { root, servers, former } = placeOf(text, { key, name }, options);
  if (value === undefined) return former === undefined || servers === undefined ? written : mark + removed(text, servers, former);
  if (servers === undefined) return mark + appended(text, root, key, { [name]: value });
  if (former === undefined) return mark + appended(text, servers, name, value);
  return isDeepStrictEqual(structuredClone(getNodeValue(former)), value) ? written : mark + replaced(text, former, value);
}

interface Place {
  readonly root: Node;
  /** The object that holds the servers. */
  readonly servers: Node | undefined;
  readonly former: Node | undefined;
}

function placeOf(text: string, { key, name }: Pick<ServerEntry, 'key' | 'name'>, options: EditOptions): Place {
  const root = rootOf(text, options);
  const servers = onlyMember(root, key, text, options);
  if (servers === undefined) return { root, servers, former: undefined };
  if (servers.type !== 'object')
    throw refused(options, `has a wrong "${key}": expected an object, received ${kindOf(servers)}`, 'Correct it');
  return { root, servers, former: onlyMember(servers, name, text, options) };
}

function withEntry(text: string, server: ServerEntry, options: EditOptions): string {
  const { former } = placeOf(text, server, options);
  const value = former === undefined ? undefined : structuredClone(getNodeValue(former));
  const isOther = entryConflict(value, server) !== undefined;
  return withFormer(text, server, isOther ? server.entry : withGiven(server, value), options);
}

/** The object that the text is. */
function rootOf(text: string, options: EditOptions): Node {
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

/** The value of a member. Of two of the same name, programs take one or the other: nothing is changed then. */
function onlyMember(object: Node, name: string, text: string, options: EditOptions): Node | undefined {
  const own = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  const second = own[1];
  if (second !== undefined) throw refused(options, `has "${name}" twice, again at ${positionOf(text, second.offset)}`, 'Remove one');
  return own[0]?.children?.[1];
}

/**
 * The new entry, and beside it what a person has put into the former one. A token that stands there is not given up for a place of one, and an
 * entry that holds its token elsewhere, or needs none, stays as it is.
 */
function withGiven({ entry, authorization, holdsToken = false }: ServerEntry, former: unknown): JsonObject {
  if (!isPlainObject(former)) return entry;
  const isOpen = (value: unknown): boolean => value === authorization && !holdsToken;
  let isHeldElsewhere = false;
  const merged = (member: 'env' | 'headers'): JsonObject => {
    const own = entry[member];
    if (!isPlainObject(own)) return {};
    const old = isPlainObject(former[member]) ? (former[member] as JsonObject) : {};
    // Names of headers are the same in any case.
    const nameIn = (name: string): string =>
      member === 'headers' ? (Object.keys(old).find((known) => known.toLowerCase() === name.toLowerCase()) ?? name) : name;
    const kept = Object.entries(own).map(([name, value]) => {
      const before = old[nameIn(name)];
      if (isOpen(value) && before === undefined) isHeldElsewhere = true;
      return [nameIn(name), isOpen(value) && !isPlaceholder(before) ? before : value];
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
  const root = rootOf(text, options);
  const inputs = onlyMember(root, 'inputs', text, options);
  if (inputs === undefined) return appended(text, root, 'inputs', [input]);
  if (inputs.type !== 'array') throw refused(options, `has wrong "inputs": expected an array, received ${kindOf(inputs)}`, 'Correct it');
  const isThere = (inputs.children ?? []).some((child) => findNodeAtLocation(child, ['id'])?.value === input['id']);
  return isThere ? text : appended(text, inputs, undefined, input);
}

function kindOf(node: Node): string {
  return describeValue(getNodeValue(node));
}

function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function refused({ file }: EditOptions, what: string, advice: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `${file} ${what}. It is left as it is. ${advice}, or paste the configuration by hand.`, {
    file,
  });
}

import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { describeValue, isPlainObject, type JsonObject, type JsonValue, ToolkitError } from '../../../../../kernel/index.ts';
import { jsonProblem } from '../../../../shared/text/json-problem.ts';
import { configurationOf, type ServerEntry, tokenPlaceholder } from './clients.ts';
import { appended, replaced } from './json-edits.ts';

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
  const { inputs = [] } = server;
  const changed = withEntry(text, server, options);
  return mark + inputs.reduce((own, input) => withInput(own, input, options), changed);
}

function withEntry(text: string, { key, name, entry }: ServerEntry, options: EditOptions): string {
  const root = rootOf(text, options);
  const servers = onlyMember(root, key, text, options);
  if (servers === undefined) return appended(text, root, key, { [name]: entry });
  if (servers.type !== 'object')
    throw refused(options, `has a wrong "${key}": expected an object, received ${kindOf(servers)}`, 'Correct it');
  const former = onlyMember(servers, name, text, options);
  if (former === undefined) return appended(text, servers, name, entry);
  // With ordinary prototypes.
  const value: unknown = structuredClone(getNodeValue(former));
  const next = withGiven(entry, value);
  return isDeepStrictEqual(value, next) ? text : replaced(text, former, next);
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

/** The new entry, and beside it what a person has put into the former one. */
function withGiven(entry: JsonObject, former: unknown): JsonObject {
  if (!isPlainObject(former)) return entry;
  const given = (member: string): JsonObject => (isPlainObject(former[member]) ? (former[member] as JsonObject) : {});
  const merged = (member: string): JsonObject => {
    const own = entry[member] as JsonObject | undefined;
    const old = given(member);
    if (own === undefined) return {};
    const kept = Object.entries(own).map(([name, value]) => [name, isPlaceholder(value) ? (old[name] ?? value) : value]);
    return { [member]: { ...old, ...Object.fromEntries(kept) } };
  };
  return { ...entry, ...merged('env'), ...merged('headers') };
}

function isPlaceholder(value: JsonValue | undefined): boolean {
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

import { ToolkitError } from '../errors.ts';

/**
 * Maximum content of one value, over all levels. Larger values would block other work: members of objects, items of lists, both `together` with
 * each member counted as five items, and levels of nesting.
 */
export const costLimits = { members: 100_000, items: 500_000, together: 600_000, depth: 64 } as const;

/** Maximum characters (UTF-16 units) in the texts of one result: the same as in a stored output. */
export const maxAnswerCharacters = 32 * 1024 * 1024;

/** Cost of a member, in items: each member has a name. */
const itemsOfMember = 5;

/** Maximum size of JSON that is parsed without counting its content, in bytes. */
export const uncountedBytes = 256 * 1024;

/** Maximum number of issues of one check. */
export const maxIssues = 20;

const tooManyMembers = `more than ${costLimits.members} members of objects`;
const tooManyItems = `more than ${costLimits.items} items of lists`;
const tooMuch = `more than ${costLimits.together / itemsOfMember} members of objects, five items of lists counted as one`;
const tooManyCharacters = `more than ${maxAnswerCharacters} characters of texts`;
const tooDeep = `something nested deeper than ${costLimits.depth} levels`;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;

/** Returns the exceeded limit of a JSON text in UTF-8, as words for a message; undefined if there is none. Counts in one pass, without parsing. */
export function textExcess(json: Uint8Array): string | undefined {
  if (json.length <= uncountedBytes) return undefined;
  let members = 0;
  let entries = 0;
  let depth = 0;
  for (let place = 0; place < json.length; place++) {
    const byte = json[place] as number;
    if (byte === quote) place = endOfText(json, place);
    else if (byte === comma) entries++;
    else if (byte === colon) members++;
    // `[` and `{` differ in one bit.
    else if ((byte | 0x20) === 0x7b) {
      entries++;
      depth++;
    } else if ((byte | 0x20) === 0x7d) depth--;
    if (members > costLimits.members) return tooManyMembers;
    if (entries - members > costLimits.items) return tooManyItems;
    if (entries - members + members * itemsOfMember > costLimits.together) return tooMuch;
    if (depth > costLimits.depth) return tooDeep;
  }
  return undefined;
}

/** Returns the index of the closing quote of the text that begins at `start`. */
function endOfText(json: Uint8Array, start: number): number {
  for (let place = start + 1; place < json.length; place++) {
    if (json[place] === backslash) place++;
    else if (json[place] === quote) return place;
  }
  return json.length;
}

/** Does the same for a value, and stops at the limit. An object with `toJSON` counts as nothing. */
export function valueExcess(value: unknown): string | undefined {
  return new EntryCount(costLimits).excessOf(value, 1);
}

/** True when the value has more members and items than `entries` together, or is nested too deep. */
export function hasMoreEntries(value: unknown, entries: number): boolean {
  const count = new EntryCount({ members: entries, items: entries });
  return count.excessOf(value, 1) !== undefined || count.members + count.items > entries;
}

interface EntryLimits {
  readonly members: number;
  readonly items: number;
  /** Maximum cost of items and members together. @default unlimited */
  readonly together?: number;
  /** Maximum characters of texts. @default unlimited */
  readonly characters?: number;
}

class EntryCount {
  readonly #limits: EntryLimits;
  members = 0;
  items = 0;
  #characters = 0;

  constructor(limits: EntryLimits) {
    this.#limits = limits;
  }

  excessOf(value: unknown, depth: number): string | undefined {
    const { members, items, together = Number.POSITIVE_INFINITY, characters = Number.POSITIVE_INFINITY } = this.#limits;
    if (typeof value === 'string') {
      this.#characters += value.length;
      return this.#characters > characters ? tooManyCharacters : undefined;
    }
    if (typeof value !== 'object' || value === null || typeof (value as { toJSON?: unknown }).toJSON === 'function') return undefined;
    if (depth > costLimits.depth) return tooDeep;
    // Object.values takes four times as long for a large object.
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    const entries: readonly unknown[] = keys ?? (value as readonly unknown[]);
    // An empty nested value costs as much as an item.
    if (Array.isArray(value) || entries.length === 0) this.items += Math.max(1, entries.length);
    else this.members += entries.length;
    if (this.members > members) return tooManyMembers;
    if (this.items > items) return tooManyItems;
    if (this.items + this.members * itemsOfMember > together) return tooMuch;
    for (let index = 0; index < entries.length; index++) {
      const entry = keys === undefined ? entries[index] : (value as Record<string, unknown>)[keys[index] as string];
      const excess = typeof entry === 'object' || typeof entry === 'string' ? this.excessOf(entry, depth + 1) : undefined;
      if (excess !== undefined) return excess;
    }
    return undefined;
  }
}

/** Maximum number of unknown parameters. With more, no parameter is checked. */
const maxUnknownNames = 1000;

interface ToolInput {
  readonly name: string;
  readonly inputSchema: { readonly [key: string]: unknown };
}

/** Throws INVALID_PARAMETERS for parameters over the limit, before any other check. */
export function refuseCostlyParameters({ name: tool, inputSchema }: ToolInput, parameters: unknown): void {
  const excess = unknownNames(inputSchema, parameters) ?? valueExcess(parameters);
  if (excess === undefined) return;
  throw new ToolkitError('INVALID_PARAMETERS', `The parameters of "${tool}" cannot be taken: they hold ${excess}. Send less at once.`, {
    tool,
    issues: [{ path: '', message: `expected less, received ${excess}` }],
  });
}

function unknownNames({ properties, additionalProperties }: ToolInput['inputSchema'], parameters: unknown): string | undefined {
  if (additionalProperties !== false || typeof parameters !== 'object' || parameters === null) return undefined;
  const known = Object.keys(properties ?? {}).length;
  const given = Object.keys(parameters).length;
  return given > known + maxUnknownNames ? `${given} names, of which the tool takes ${known}` : undefined;
}

/** Throws OUTPUT_TOO_LARGE for a result over the limit. */
export function refuseCostlyAnswer(tool: string, output: unknown): void {
  const excess = new EntryCount({ ...costLimits, characters: maxAnswerCharacters }).excessOf(output, 1);
  if (excess === undefined) return;
  const message = `The answer of "${tool}" is too large to be worked on: it holds ${excess}. Ask for less (a filter, a smaller page).`;
  throw new ToolkitError('OUTPUT_TOO_LARGE', message, { tool, carriedOut: true });
}

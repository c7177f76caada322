import { Check, Compile, Errors, type Validator } from 'typebox/schema';
import { isPlainObject, type JsonSchema } from '../json/json.ts';
import { mapSchema } from './map-schema.ts';

/**
 * Maximum number of `$defs` with which a schema is compiled as a whole: the compiler takes seconds for hundreds, and its recursion overflows
 * the stack where many refer to each other.
 */
export const maxWholeDefs = 16;

/** A compiled schema. */
interface Checker {
  readonly Check: (value: unknown) => boolean;
}

type Entries = Readonly<Record<string, unknown>>;

/** Compiled entries by name, for each `$defs` object. Tools of a provider share these objects. */
const compiledEntries = new WeakMap<Entries, Map<string, Checker>>();

/** Keywords whose effect reaches over a reference, so that a schema cannot be cut at it. */
const overReferences = ['$id', '$dynamicRef', '$recursiveRef', 'unevaluatedProperties', 'unevaluatedItems'];

/** Returns the `$defs` of a schema when they are too many to compile it as a whole. */
export function manyDefs(schema: JsonSchema): Entries | undefined {
  const { $defs } = schema;
  return isPlainObject($defs) && Object.keys($defs).length > maxWholeDefs ? $defs : undefined;
}

/**
 * Compiles a schema with many `$defs` in pieces: itself at once, each entry when a value first comes to a reference to it, once for all schemas with
 * the same `$defs` object. A piece that cannot be cut from the others is checked without compiling, as is the whole schema with such an entry.
 */
export function compileInPieces(
  schema: JsonSchema,
  $defs: Entries,
): { readonly validator: Pick<Validator, 'Check' | 'Errors'>; readonly comparesItems: boolean } {
  const { $defs: _entries, ...root } = schema;
  const comparesInDefs = comparing.get($defs) ?? hasUniqueItems($defs);
  comparing.set($defs, comparesInDefs);
  const { Check: check } = checkerOf(schema, root, $defs);
  return {
    validator: { Check: check as Validator['Check'], Errors: (value) => Errors(schema as never, value) },
    comparesItems: comparesInDefs || hasUniqueItems(root),
  };
}

/** Results of `hasUniqueItems` for `$defs` that many schemas have. */
const comparing = new WeakMap<Entries, boolean>();

/** True for a value of which a member, at any depth, is named `uniqueItems`. */
export function hasUniqueItems(schema: unknown): boolean {
  return JSON.stringify(schema).includes('"uniqueItems"');
}

function checkerOf(schema: JsonSchema, root: JsonSchema, $defs: Entries): Checker {
  const uncompiled = { Check: (value: unknown): boolean => Check(schema as never, value) };
  const piece = pieceOf(root, $defs);
  if (piece === undefined || !areCut($defs)) return uncompiled;
  const validator = Compile(piece as never) as unknown as Checker;
  return { Check: (value) => validator.Check(value) };
}

const cut = new WeakMap<Entries, boolean>();

/** True when each entry can be cut at its references. */
function areCut($defs: Entries): boolean {
  const known = cut.get($defs) ?? Object.values($defs).every((entry) => typeof entry === 'boolean' || pieceOf(entry, $defs) !== undefined);
  cut.set($defs, known);
  return known;
}

/** Returns the schema with a check in place of each reference; undefined when it has other references, or keywords that reach over them. */
function pieceOf(schema: unknown, $defs: Entries): JsonSchema | undefined {
  if (!isPlainObject(schema)) return undefined;
  let canCut = true;
  const piece = mapSchema(schema, (node) => {
    if (overReferences.some((key) => Object.hasOwn(node, key))) canCut = false;
    const { $ref: reference, ...rest } = node;
    if (reference === undefined) return node;
    const name = typeof reference === 'string' ? /^#\/\$defs\/([\w.-]+)$/.exec(reference)?.[1] : undefined;
    if (name === undefined || !Object.hasOwn($defs, name)) {
      canCut = false;
      return node;
    }
    const checks = Array.isArray(rest['~refine']) ? (rest['~refine'] as unknown[]) : [];
    const check = (value: unknown): boolean => validatorOf(name, $defs).Check(value);
    return { ...rest, '~refine': [...checks, { check, error: () => '' }] };
  });
  // A reference below a keyword that mapSchema does not know.
  return canCut && !JSON.stringify(piece).includes('"$ref"') ? piece : undefined;
}

function validatorOf(name: string, $defs: Entries): Checker {
  const entries = compiledEntries.get($defs) ?? new Map<string, Checker>();
  compiledEntries.set($defs, entries);
  const known = entries.get(name) ?? compileEntry($defs[name], $defs);
  entries.set(name, known);
  return known;
}

function compileEntry(entry: unknown, $defs: Entries): Checker {
  if (typeof entry === 'boolean') return { Check: () => entry };
  return Compile(pieceOf(entry, $defs) as never) as unknown as Checker;
}

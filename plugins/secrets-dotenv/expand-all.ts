import type { expand as Expand } from 'dotenv-expand';

/** Limits of the references in one value, and of its expanded length: nested references would fill the memory. */
const maxReferences = 100;
const maxLength = 1024 * 1024;

/**
 * Noncharacters (Unicode 16, 23.7) that replace `$`, `{` and `}` outside of references while the library works. It would
 * expand inserted text once more, reads `$&` in it as a pattern of `String.replace`, and does not end on `${A:-$&}`.
 */
const placeholders: Readonly<Record<string, string>> = { $: '\uFDD0', '{': '\uFDD1', '}': '\uFDD2' };
const originals = new Map(Object.entries(placeholders).map(([character, stand]) => [stand, character]));

export interface ExpandResult {
  readonly values: ReadonlyMap<string, string>;
  /** Names of values with a reference that is not set and has no default. */
  readonly unset: readonly string[];
  /** The name of a value that exceeds a limit. Nothing after it is expanded. */
  readonly refused?: string;
}

/**
 * Expands `$NAME`, `${NAME}`, `${NAME:-default}` and `${NAME:+other}` as dotenv-expand does, with one difference: a variable
 * of the environment never replaces a value of the file with the same name. A reference means an earlier value of the file,
 * else a variable of `env`. `\$` is a dollar sign. Quotes make no difference, because dotenv has removed them.
 */
export function expandAll(
  expand: typeof Expand,
  parsed: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): ExpandResult {
  const values = new Map<string, string>();
  const unset: string[] = [];
  const known = withoutInherited(env);
  for (const [name, rawText] of Object.entries(parsed)) {
    const text = rawText.replace(/\\\$|\$(?![{A-Za-z_])/g, () => placeholders['$'] ?? '');
    const references = text.match(/\$/g)?.length ?? 0;
    if (references > maxReferences) return { values, unset, refused: name };
    const value = reveal(references === 0 ? text : expandOne(expand, text, known));
    if (value.length > maxLength) return { values, unset, refused: name };
    if (plainReferences(text).some((reference) => !known[reference])) unset.push(name);
    values.set(name, value);
    known[name] = hide(value);
  }
  return { values, unset };
}

/** Returns the environment, with an empty text for the names that every object has: the library would find functions there. */
function withoutInherited(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inherited = Object.getOwnPropertyNames(Object.prototype).map((name) => [name, '']);
  const variables = Object.entries(env).filter(([name]) => name !== '');
  return Object.fromEntries([...inherited, ...variables.map(([name, value]) => [name, hide(value ?? '')])]);
}

/** Expands one text. It gets an empty name, which no variable has: for a name that the environment has, the library takes that value. */
function expandOne(expand: typeof Expand, text: string, known: Record<string, string>): string {
  const { parsed } = expand({ parsed: { '': text }, processEnv: known });
  delete known[''];
  return parsed?.[''] ?? '';
}

function plainReferences(text: string): string[] {
  return [...text.matchAll(/\$(?:\{([\w.]+)\}|([A-Za-z_]\w*))/g)].map(([, braced, bare]) => braced ?? bare ?? '');
}

function hide(text: string): string {
  return text.replace(/[${}]/g, (character) => placeholders[character] ?? character);
}

function reveal(text: string): string {
  return text.replace(/[\uFDD0-\uFDD2]/g, (stand) => originals.get(stand) ?? stand);
}

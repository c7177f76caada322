import type { expand as Expand } from 'dotenv-expand';

/** What one value may refer to, and how long it may become: references to references would fill the memory. */
const maxReferences = 100;
const maxLength = 1024 * 1024;

/**
 * Noncharacters (Unicode 16, 23.7) stand for `$`, `{` and `}` that are no reference while the library works: it would expand inserted
 * text once more, reads `$&` in it as a pattern of `String.replace`, and does not end on `${A:-$&}`.
 */
const hidden: Readonly<Record<string, string>> = { $: '\uFDD0', '{': '\uFDD1', '}': '\uFDD2' };
const shown = new Map(Object.entries(hidden).map(([character, stand]) => [stand, character]));

export interface Expanded {
  readonly values: ReadonlyMap<string, string>;
  /** Names of values that refer to something that is not set and give no default. */
  readonly unset: readonly string[];
  /** The name of a value that is over a limit; nothing after it is expanded. */
  readonly refused?: string;
}

/**
 * Expands `$NAME`, `${NAME}`, `${NAME:-default}` and `${NAME:+other}` as dotenv-expand does, with one difference: what the file defines
 * is never replaced by a variable of the environment with the same name. A reference means a value above in the file, then `env`.
 * `\$` is a dollar sign. Quotes of any kind make no difference: dotenv has removed them.
 */
export function expandAll(
  expand: typeof Expand,
  parsed: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Expanded {
  const values = new Map<string, string>();
  const unset: string[] = [];
  const known = knownOf(env);
  for (const [name, written] of Object.entries(parsed)) {
    const text = written.replace(/\\\$|\$(?![{A-Za-z_])/g, () => hidden['$'] ?? '');
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

/** The environment, and nothing under the names that every object has: the library would find functions there. */
function knownOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inherited = Object.getOwnPropertyNames(Object.prototype).map((name) => [name, '']);
  const given = Object.entries(env).filter(([name]) => name !== '');
  return Object.fromEntries([...inherited, ...given.map(([name, value]) => [name, hide(value ?? '')])]);
}

/** Under an empty name, which no variable has: the library takes a value of the environment for one of the same name in the file. */
function expandOne(expand: typeof Expand, text: string, known: Record<string, string>): string {
  const { parsed } = expand({ parsed: { '': text }, processEnv: known });
  delete known[''];
  return parsed?.[''] ?? '';
}

function plainReferences(text: string): string[] {
  return [...text.matchAll(/\$(?:\{([\w.]+)\}|([A-Za-z_]\w*))/g)].map(([, braced, bare]) => braced ?? bare ?? '');
}

function hide(text: string): string {
  return text.replace(/[${}]/g, (character) => hidden[character] ?? character);
}

function reveal(text: string): string {
  return text.replace(/[\uFDD0-\uFDD2]/g, (stand) => shown.get(stand) ?? stand);
}

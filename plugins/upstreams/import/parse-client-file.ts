import type { Node, ParseError } from 'jsonc-parser';
import { excerpt, isPlainObject, ToolkitError } from '../../../kernel/index.ts';
import { jsonProblem } from '../../shared/text/json-problem.ts';

/** Maximum characters of a client's file. Claude Code keeps its history in it. */
const maxCharacters = 20_000_000;

/**
 * Parses a client's file: JSON with comments and trailing commas, or TOML. `file`: its name, for messages and the format. Throws CONFIG_INVALID with the
 * place, and no text of the file.
 */
export async function parseClientFile(text: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  const refuse = (problem: string): never => {
    throw new ToolkitError('CONFIG_INVALID', `${excerpt(file, 200)} cannot be read: ${problem}.`, { file });
  };
  if (text.length > maxCharacters) refuse(`it has ${text.length} characters, expected at most ${maxCharacters}`);
  const plain = text.replace(/^\uFEFF/, '');
  const value = /\.toml$/i.test(file) ? await parseToml(plain, refuse) : await parseJson(plain, refuse);
  return isPlainObject(value) ? value : refuse('expected an object with servers');
}

async function parseToml(text: string, refuse: (problem: string) => never): Promise<unknown> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return ordinary(parse(text));
  } catch (error) {
    // Its message shows lines of the file, which may hold secrets.
    if (error instanceof TomlError) return refuse(`it is not TOML, line ${error.line}, column ${error.column}`);
    throw error;
  }
}

async function parseJson(text: string, refuse: (problem: string) => never): Promise<unknown> {
  const { parseTree } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first !== undefined) refuse(`it is not JSON, line ${text.slice(0, first.offset).split('\n').length}: ${jsonProblem(first.error)}`);
    return root === undefined ? refuse('it is empty') : jsonOf(root);
  } catch (error) {
    if (error instanceof RangeError) return refuse('it is nested too deep');
    throw error;
  }
}

/** Returns the value of a node. The parser's own function would set the prototype for a member `__proto__`. */
function jsonOf({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(jsonOf);
  if (type !== 'object') return value;
  return Object.fromEntries(
    children.flatMap(({ children: [key, member] = [] }) => (member === undefined ? [] : [[key?.value, jsonOf(member)]])),
  );
}

/** Returns the tables of TOML as ordinary objects. */
function ordinary(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordinary);
  if (typeof value !== 'object' || value === null || value instanceof Date) return typeof value === 'bigint' ? Number(value) : value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ordinary(member)]));
}

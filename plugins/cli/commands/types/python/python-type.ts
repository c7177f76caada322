import { isPlainObject, type JsonSchema } from '../../../../../kernel/index.ts';
import { refersTo } from '../schema-type.ts';

/** References in references are followed to this depth; what goes deeper, or in a circle, is `Any`. */
const maxDepth = 8;

/** `input`: what a caller writes. `output`: what it gets. */
export type Direction = 'input' | 'output';

/** A class that the types need: TypedDicts have names. */
export interface PythonClass {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Makes types of the schemas of one direction, and collects the classes that they name. */
export class PythonTypes {
  readonly classes: PythonClass[] = [];
  readonly #names: Set<string>;
  readonly #root: JsonSchema;
  readonly #direction: Direction;

  /** `names`: of classes, taken so far. `root` holds the `$defs`. */
  constructor(names: Set<string>, root: JsonSchema, direction: Direction) {
    this.#names = names;
    this.#root = root;
    this.#direction = direction;
  }

  /**
   * The values that a JSON Schema (2020-12) accepts, as a type of Python. Where the schema says more than a type can, the type is the wider one;
   * where it says what this does not know, `Any`. `name`: of the class, where one is needed.
   */
  typeOf(schema: unknown, name: string, depth = 0): string {
    if (!isPlainObject(schema)) return 'Any';
    const { $ref, const: only, enum: values, anyOf, oneOf, allOf, type, properties } = schema;
    if (typeof $ref === 'string') return depth < maxDepth ? this.typeOf(refersTo($ref, this.#root), name, depth + 1) : 'Any';
    if (only !== undefined) return literals([only]);
    if (Array.isArray(values)) return literals(values);
    const branches = anyOf ?? oneOf;
    // Python has no type for what is several things at once.
    if (Array.isArray(allOf) || (Array.isArray(branches) && (type !== undefined || properties !== undefined))) return 'Any';
    if (Array.isArray(branches)) return union(branches.map((branch) => this.typeOf(branch, name, depth)));
    if (type === undefined && !isPlainObject(properties)) return 'Any';
    return union([type ?? 'object'].flat().map((one) => this.#ofType(one, schema, name, depth)));
  }

  #ofType(type: unknown, schema: JsonSchema, name: string, depth: number): string {
    if (type === 'array') return `list[${schema['items'] === undefined ? 'Any' : this.typeOf(schema['items'], `${name}Item`, depth)}]`;
    if (type === 'object') return this.#object(schema, name, depth);
    return scalars[String(type)] ?? 'Any';
  }

  #object({ properties, required, additionalProperties: more, description }: JsonSchema, name: string, depth: number): string {
    const members = isPlainObject(properties) ? Object.entries(properties) : [];
    const isOpen = this.#direction === 'input' && more !== undefined && more !== false;
    if (isOpen || (members.length === 0 && more !== false)) {
      return `dict[str, ${members.length === 0 && isPlainObject(more) ? this.typeOf(more, `${name}Value`, depth) : 'Any'}]`;
    }
    const own = this.#free(name);
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const entries = members.map(([key, member]) => {
      const type = this.typeOf(member, `${own}${pascal(key)}`, depth);
      const text = isPlainObject(member) ? member['description'] : undefined;
      return { key, text, type: needed.includes(key) ? type : `NotRequired[${type}]` };
    });
    const isPlain = entries.every(({ key }) => isIdentifier(key));
    const lines = isPlain
      ? [
          `class ${own}(TypedDict):`,
          ...(typeof description === 'string' ? docstring(description) : []),
          ...entries.flatMap(({ key, text, type }) => [...comment(text, '    '), `    ${key}: ${type}`]),
          ...(entries.length === 0 && typeof description !== 'string' ? ['    pass'] : []),
        ]
      : [
          `${own} = TypedDict(`,
          `    "${own}",`,
          '    {',
          ...entries.flatMap(({ key, text, type }) => [...comment(text, '        '), `        ${quoted(key)}: ${quoted(type)},`]),
          '    },',
          ')',
        ];
    this.classes.push({ name: own, lines });
    return own;
  }

  #free(name: string): string {
    const own = this.#names.has(name) ? this.#free(`${name}_`) : name;
    this.#names.add(own);
    return own;
  }
}

const scalars: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

/** `shop_get-item` as `ShopGetItem`. */
export function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/** A text as Python writes it. */
export function quoted(text: string): string {
  // JSON's escapes are among those of Python.
  return JSON.stringify(text);
}

/** Of a text in a docstring, no quotes that would end it and no escapes. */
export function docstring(text: string, indent = '    '): readonly string[] {
  return [`${indent}"""${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', "'")}"""`];
}

function comment(text: unknown, indent: string): readonly string[] {
  return typeof text === 'string' && text.trim() !== '' ? [`${indent}# ${oneLine(text)}`] : [];
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda ' +
    'nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Names that types are written with, which a member of that name would hide. */
const typeNames = new Set(['str', 'int', 'float', 'bool', 'list', 'dict', 'Any', 'Literal', 'NotRequired']);

/** Whether a class can have such a member. Two underscores at the beginning would be taken for a private name. */
function isIdentifier(name: string): boolean {
  return /^(?!__)[A-Za-z_]\w*$/.test(name) && !keywords.has(name) && !typeNames.has(name);
}

/** Python's Literal takes no fractions and nothing that is composed. */
function literals(values: readonly unknown[]): string {
  const known = values.every((value) => value === null || ['string', 'boolean'].includes(typeof value) || Number.isSafeInteger(value));
  if (known) return `Literal[${values.map(literal).join(', ')}]`;
  return values.every((value) => typeof value === 'number') ? 'float' : 'Any';
}

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 0 || distinct.includes('Any') ? 'Any' : distinct.join(' | ');
}

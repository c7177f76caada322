import { isPlainObject, type JsonSchema } from '../../../../../kernel/index.ts';
import { resolveReference } from '../schema-type.ts';

/** Maximum depth of nested references. A deeper or circular one is `Any`. */
const maxDepth = 8;

/** `input`: parameters that a caller passes. `output`: the result. */
export type Direction = 'input' | 'output';

/** A class for an object schema: a TypedDict needs a name. */
export interface PythonClass {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Converts the schemas of one direction to types, and collects the classes that they need. */
export class PythonTypes {
  readonly classes: PythonClass[] = [];
  readonly #names: Set<string>;
  readonly #root: JsonSchema;
  readonly #direction: Direction;

  /** `names`: class names in use. `root` holds the `$defs`. */
  constructor(names: Set<string>, root: JsonSchema, direction: Direction) {
    this.#names = names;
    this.#root = root;
    this.#direction = direction;
  }

  /**
   * Converts a JSON Schema (2020-12) to a Python type. The type is wider where Python cannot express the schema, and `Any` for unsupported
   * schemas. `name`: of the class, if one is needed.
   */
  typeOf(schema: unknown, name: string, depth = 0): string {
    if (!isPlainObject(schema)) return 'Any';
    const { $ref, const: only, enum: values, anyOf, oneOf, allOf, type, properties } = schema;
    if (typeof $ref === 'string') return depth < maxDepth ? this.typeOf(resolveReference($ref, this.#root), name, depth + 1) : 'Any';
    if (only !== undefined) return literals([only]);
    if (Array.isArray(values)) return literals(values);
    const branches = anyOf ?? oneOf;
    // Python has no intersection types.
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
    const own = this.#uniqueName(name);
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
          ...entries.flatMap(({ key, text, type }) => [
            ...comment(text, '        '),
            `        ${pythonString(key)}: ${pythonString(type)},`,
          ]),
          '    },',
          ')',
        ];
    this.classes.push({ name: own, lines });
    return own;
  }

  #uniqueName(name: string): string {
    const own = this.#names.has(name) ? this.#uniqueName(`${name}_`) : name;
    this.#names.add(own);
    return own;
  }
}

const scalars: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

/** Converts to PascalCase: `shop_get-item` becomes `ShopGetItem`. */
export function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/** Formats a text as a Python string literal. */
export function pythonString(text: string): string {
  // Python supports all escapes of JSON.
  return JSON.stringify(text);
}

/** Formats a text as a docstring. Double quotes, which could end it, become single ones; backslashes are escaped. */
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

/** Names used in types: a member with such a name would shadow it. */
const typeNames = new Set(['str', 'int', 'float', 'bool', 'list', 'dict', 'Any', 'Literal', 'NotRequired']);

/** True when a class can have a member of this name. Python mangles names with two leading underscores. */
function isIdentifier(name: string): boolean {
  return /^(?!__)[A-Za-z_]\w*$/.test(name) && !keywords.has(name) && !typeNames.has(name);
}

/** Returns a Literal type. Python's Literal supports no fractions and no objects or lists. */
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

import type { Field, FieldFrame, Option, TextFormat } from './field.ts';
import { isObject, merge, type PlainNode, plainNode, type SchemaNode, typesOf } from './schema-node.ts';

/** Limits of a drawn form. Deeper or further parts are written as JSON. */
const maxDepth = 6;
const maxFields = 1000;

/** Keywords that no input can show. */
const undrawn = ['prefixItems', 'patternProperties', 'contains', 'unevaluatedItems'];

/** Pattern of the kernel for integers that are sent as texts. */
const digitsPattern = '^-?[1-9]\\d{15,}$';

/** Returns the form of a JSON Schema. Parts that cannot be drawn become fields of JSON. */
export function fieldsOf(schema: SchemaNode): Field {
  return new Fields(schema).of(schema, { name: '', isRequired: true, isNullable: false }, 0, []);
}

class Fields {
  readonly #root: SchemaNode;
  #count = 0;

  constructor(root: SchemaNode) {
    this.#root = root;
  }

  of(schema: unknown, given: FieldFrame, depth: number, references: readonly string[]): Field {
    const plain = plainNode(schema, this.#root, references);
    const json = (types: readonly string[]): Field => ({ ...(plain ? framed(given, plain.node) : given), kind: 'json', types });
    if (plain === undefined) return json(isObject(schema) ? typesOf(schema) : []);
    this.#count++;
    const { node } = plain;
    const types = typesOf(node);
    if (depth > maxDepth || this.#count > maxFields || undrawn.some((key) => key in node)) return json(types);
    const frame = framed(given, node);
    const options = optionsOf(node);
    if (options !== undefined) return { ...frame, kind: 'option', options };
    const choice = this.#choice(node, frame, depth, plain.references);
    if (choice !== undefined) return choice;
    switch (typeOf(node)) {
      case 'string':
        return { ...frame, kind: 'text', ...textLimits(node) };
      case 'integer':
      case 'number':
        return { ...frame, kind: 'number', ...numberLimits(node) };
      case 'array': {
        const itemFrame = { name: '', isRequired: true, isNullable: false };
        const limits = { ...numbers(node, { minItems: 'minItems', maxItems: 'maxItems' }), isUnique: node['uniqueItems'] === true };
        return { ...frame, kind: 'list', item: this.of(node['items'] ?? {}, itemFrame, depth + 1, plain.references), ...limits };
      }
      case 'object':
        return isObject(node['properties']) ? this.#object(node, frame, depth, plain.references) : json(types);
      default:
        return json(types);
    }
  }

  #object(node: SchemaNode, frame: FieldFrame, depth: number, references: readonly string[]): Field {
    const required = Array.isArray(node['required']) ? node['required'] : [];
    const more = node['additionalProperties'];
    const members = Object.entries(node['properties'] as SchemaNode).map(([name, schema]) =>
      this.of(schema, { name, isRequired: required.includes(name), isNullable: false }, depth + 1, references),
    );
    return { ...frame, kind: 'object', members, takesOthers: more === true || isObject(more) };
  }

  /** Returns the choice of a node with `oneOf`, `anyOf` or several types; the one field where only `null` is its other branch. */
  #choice(node: SchemaNode, frame: FieldFrame, depth: number, references: readonly string[]): Field | undefined {
    const { oneOf, anyOf, ...base } = node;
    const branches = [oneOf, anyOf].filter(Array.isArray).flat();
    const types = typesOf(node).filter((type) => type !== 'null');
    if (oneOf !== undefined && anyOf !== undefined) return { ...frame, kind: 'json', types };
    if (branches.length === 0 && (types.length < 2 || isExactInteger(node))) return undefined;
    const wholes =
      branches.length > 0
        ? branches.map((branch) => this.#joined(base, branch, references))
        : types.map((type) => ({ node: { ...node, type, nullable: false }, references }));
    const isNullable = frame.isNullable || wholes.some((whole) => isNull(whole?.node));
    const { default: _, ...inner } = frame;
    const fields = wholes
      .filter((whole) => !isNull(whole?.node))
      .map((whole, index) => {
        const branchFrame = { ...inner, name: '', isRequired: true, isNullable: false };
        const field = this.of(whole?.node, branchFrame, depth + 1, whole?.references ?? references);
        return { label: labelOf(whole?.node, field, index), field };
      });
    const [only] = fields;
    if (only === undefined) return undefined;
    if (fields.length === 1) return { ...only.field, ...frame, isNullable };
    const merged = mergedOptions(fields.map(({ field }) => field));
    if (merged !== undefined) return { ...frame, isNullable, kind: 'option', options: merged };
    return { ...frame, isNullable, kind: 'choice', choices: fields };
  }

  /** Returns a branch with the keywords beside it; undefined, which is drawn as JSON, where they cannot be joined. */
  #joined(base: SchemaNode, branch: unknown, references: readonly string[]): PlainNode | undefined {
    const plain = plainNode(branch, this.#root, references);
    const { description: _, title: __, default: ___, ...keywords } = base;
    const node = plain && merge(keywords, plain.node);
    return node && { node, references: plain.references };
  }
}

function framed(given: FieldFrame, node: SchemaNode): FieldFrame {
  const texts = [node['title'], node['description']].filter((text) => typeof text === 'string' && text !== '' && text !== given.name);
  return {
    ...given,
    isNullable: given.isNullable || typesOf(node).includes('null'),
    ...(texts.length > 0 && { description: texts.join('. ') }),
    ...('default' in node && { default: { value: node['default'] } }),
  };
}

function typeOf(node: SchemaNode): string | undefined {
  if (isExactInteger(node)) return 'integer';
  const [type] = typesOf(node).filter((name) => name !== 'null');
  return type ?? (isObject(node['properties']) ? 'object' : 'items' in node ? 'array' : undefined);
}

/** True for the kernel's schema of an integer that may be a text of digits. */
function isExactInteger(node: SchemaNode): boolean {
  const types = typesOf(node);
  return types.includes('string') && (types.includes('integer') || types.includes('number')) && node['pattern'] === digitsPattern;
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && (schema['const'] === null || typesOf(schema).join() === 'null');
}

function optionsOf(node: SchemaNode): readonly Option[] | undefined {
  const values = 'const' in node ? [node['const']] : node['enum'];
  if (Array.isArray(values)) return values.map((value) => ({ value, label: optionLabel(value, node) }));
  const types = typesOf(node).filter((type) => type !== 'null');
  return types.join() === 'boolean' ? [true, false].map((value) => ({ value, label: String(value) })) : undefined;
}

function optionLabel(value: unknown, node: SchemaNode): string {
  const text = typeof value === 'string' ? value || '"" (empty text)' : JSON.stringify(value);
  return 'const' in node && typeof node['title'] === 'string' ? `${node['title']} (${text})` : text;
}

function mergedOptions(fields: readonly Field[]): readonly Option[] | undefined {
  const lists = fields.map((field) => (field.kind === 'option' ? field.options : undefined));
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

const typeLabels: Readonly<Record<string, string>> = {
  text: 'a text',
  number: 'a number',
  list: 'a list',
  object: 'an object',
  json: 'JSON',
};

/** Returns the name of a branch: its title, the fixed value that tells it apart, its own required members, or its type. */
function labelOf(schema: unknown, field: Field, index: number): string {
  if (isObject(schema) && typeof schema['title'] === 'string') return schema['title'];
  if (field.kind === 'option') return field.options.map(({ label }) => label).join(' or ');
  if (field.kind !== 'object') return typeLabels[field.kind] ?? `choice ${index + 1}`;
  const fixed = field.members.find((member) => member.kind === 'option' && member.options.length === 1);
  if (fixed?.kind === 'option') return `${fixed.name}: ${fixed.options[0]?.label}`;
  const names = field.members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return names.length > 0 ? `with ${names.join(', ')}` : `choice ${index + 1}`;
}

const formats: readonly TextFormat[] = ['date', 'date-time', 'uri', 'email'];

function textLimits(node: SchemaNode): object {
  const { format, pattern, pattern_description: words } = node;
  return {
    ...numbers(node, { minLength: 'minLength', maxLength: 'maxLength' }),
    ...(formats.includes(format as TextFormat) && { format }),
    ...(typeof pattern === 'string' && { pattern }),
    ...(typeof words === 'string' && { patternDescription: words }),
  };
}

function numberLimits(node: SchemaNode): { readonly isInteger: boolean; readonly takesDigits: boolean } {
  const names = { minimum: 'minimum', maximum: 'maximum', exclusiveMinimum: 'above', exclusiveMaximum: 'below', multipleOf: 'multipleOf' };
  const takesDigits = isExactInteger(node) || node['format'] === 'int64';
  return { ...numbers(node, names), isInteger: !typesOf(node).includes('number'), takesDigits };
}

function numbers(node: SchemaNode, names: Readonly<Record<string, string>>): object {
  const given = Object.entries(names).filter(([key]) => typeof node[key] === 'number');
  return Object.fromEntries(given.map(([key, name]) => [name, node[key]]));
}

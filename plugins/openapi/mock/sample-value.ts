import { isPlainObject, type JsonSchema, type JsonValue } from '../../../kernel/index.ts';

/** Nesting below which optional members are made as well. */
const optionalLevels = 2;

/** Nesting at which a sample ends, also where a schema refers to itself. */
const maxLevels = 12;

const texts: Readonly<Record<string, string>> = {
  'date-time': '2026-03-14T09:26:53Z',
  date: '2026-03-14',
  time: '09:26:53Z',
  duration: 'PT1H',
  uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  email: 'ada@shop.example',
  hostname: 'shop.example',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://shop.example/1',
  url: 'https://shop.example/1',
  byte: 'c2FtcGxl',
};

/**
 * Returns a value that a schema takes, where it can be found without solving patterns: an example, default or listed value of the schema first.
 * `definitions` are the targets of `#/$defs/<name>`. Optional members are left out where `isRequiredOnly` is true.
 */
export function sampleValue(
  schema: unknown,
  definitions: Readonly<Record<string, JsonSchema>>,
  { isRequiredOnly = false }: { readonly isRequiredOnly?: boolean } = {},
): JsonValue {
  const make = (given: unknown, level: number): JsonValue => {
    const target = resolved(given, definitions);
    if (target === undefined || level > maxLevels) return null;
    const chosen = chosenValue(target);
    if (chosen !== undefined) return chosen;
    const part = [target['anyOf'], target['oneOf']].find(Array.isArray)?.[0] as unknown;
    const parts = Array.isArray(target['allOf']) ? (target['allOf'] as readonly unknown[]) : [];
    if (part !== undefined || parts.length > 0) {
      const values = [...parts, part, own(target)].filter((one) => one !== undefined).map((one) => make(one, level + 1));
      return values.every(isPlainObject) ? (Object.assign({}, ...values) as JsonValue) : (values.find((value) => value !== null) ?? null);
    }
    return ofType(target, level);
  };
  const ofType = (target: JsonSchema, level: number): JsonValue => {
    switch (typeOf(target)) {
      case 'object':
        return objectOf(target, level);
      case 'array':
        return Array.from({ length: Math.min(numberOf(target['minItems']) ?? 1, 100) }, () => make(target['items'] ?? {}, level + 1));
      case 'string':
        return textOf(target);
      case 'integer':
      case 'number':
        return numericOf(target);
      case 'boolean':
        return true;
      default:
        return typeOf(target) === 'null' ? null : 'sample';
    }
  };
  const objectOf = ({ properties, required }: JsonSchema, level: number): JsonValue => {
    const isNeeded = (name: string): boolean => Array.isArray(required) && required.includes(name);
    const members = isPlainObject(properties) ? Object.entries(properties) : [];
    const shown = members.filter(([name]) => isNeeded(name) || (!isRequiredOnly && level < optionalLevels));
    return Object.fromEntries(shown.map(([name, member]) => [name, make(member, level + 1)]));
  };
  return make(schema, 0);
}

function chosenValue({ examples, default: byDefault, const: constant, enum: values }: JsonSchema): JsonValue | undefined {
  const [example] = Array.isArray(examples) ? (examples as readonly JsonValue[]) : [];
  const [value] = Array.isArray(values) ? (values as readonly JsonValue[]) : [];
  return example ?? (constant as JsonValue | undefined) ?? (byDefault as JsonValue | undefined) ?? value;
}

/** Returns the keywords beside a union, where they describe a value of their own. */
function own({ anyOf: _any, oneOf: _one, allOf: _all, ...rest }: JsonSchema): JsonSchema | undefined {
  return isPlainObject(rest['properties']) ? rest : undefined;
}

function resolved(schema: unknown, definitions: Readonly<Record<string, JsonSchema>>): JsonSchema | undefined {
  let target = schema;
  for (let hop = 0; hop < 20 && isPlainObject(target) && typeof target['$ref'] === 'string'; hop++) {
    const name = /^#\/\$defs\/(.+)$/.exec(target['$ref'])?.[1] ?? '';
    target = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  }
  return isPlainObject(target) ? target : target === true ? {} : undefined;
}

function typeOf({ type, properties, items }: JsonSchema): unknown {
  const [first] = [type].flat().filter((name) => name !== 'null');
  if (first !== undefined) return first;
  if (type !== undefined) return 'null';
  return properties !== undefined ? 'object' : items !== undefined ? 'array' : undefined;
}

function textOf({ format, minLength, maxLength }: JsonSchema): string {
  const known = typeof format === 'string' && Object.hasOwn(texts, format) ? texts[format] : undefined;
  if (known !== undefined) return known;
  const text = 'sample'.padEnd(Math.min(numberOf(minLength) ?? 0, 10_000), '-');
  return text.slice(0, numberOf(maxLength) ?? text.length);
}

function numericOf({ minimum, maximum, exclusiveMinimum, multipleOf }: JsonSchema): number {
  const above = numberOf(exclusiveMinimum);
  const least = numberOf(minimum) ?? (above === undefined ? 1 : above + 1);
  const step = numberOf(multipleOf);
  const value = step === undefined || step <= 0 ? least : Math.ceil(least / step) * step;
  return Math.min(value, numberOf(maximum) ?? value);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

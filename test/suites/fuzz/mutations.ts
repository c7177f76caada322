import type { Random } from '../../support/random.ts';

/** Makes another file of one: what somebody mistypes, what a broken disk leaves, and what somebody does on purpose. */
export type Mutation = (content: Buffer, random: Random) => Buffer;

const onText =
  (change: (text: string, random: Random) => string): Mutation =>
  (content, random) =>
    Buffer.from(change(content.toString('utf8'), random));

const onLines = (change: (lines: string[], random: Random) => void): Mutation =>
  onText((text, random) => {
    const lines = text.split('\n');
    change(lines, random);
    return lines.join('\n');
  });

/** With another text in the place of one match. */
const inPlaceOf = (pattern: RegExp, text: (match: string, random: Random) => string): Mutation =>
  onText((written, random) => {
    const found = [...written.matchAll(pattern)];
    if (found.length === 0) return written;
    const { index, 0: match } = random.oneOf(found);
    return `${written.slice(0, index)}${text(match, random)}${written.slice(index + match.length)}`;
  });

const key = /(?<=^[ \t]*(?:- )?)[\w$-]+(?=:)/gm;
const value = /(?<=: )\S.*$/gm;

/** Keys that mean something somewhere, and some that must not. */
const keys = [
  ...[
    'name',
    'description',
    'execution',
    'parameters',
    'input_schema',
    'output_schema',
    'examples',
    'requires_approval',
    'risk',
    'provider',
  ],
  ...[
    'type',
    'required',
    'default',
    'enum',
    'items',
    'properties',
    'additionalProperties',
    '$ref',
    '$defs',
    'pattern',
    'format',
    'minimum',
  ],
  ...[
    'url',
    'method',
    'headers',
    'query',
    'body',
    'paginate',
    'retry',
    'cache',
    'error_when',
    'command',
    'args',
    'code',
    'auth',
    'secrets',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '<<',
    'x-a',
    '~',
    '""',
    '? a',
    '- a',
    '[a]',
    '{a: b}',
    '&k k',
    '*k',
    '!!set a',
    'null',
    '1',
    '1.5',
  ],
];

const values = [
  ...[
    '',
    '~',
    'null',
    'true',
    '[]',
    '{}',
    '0',
    '-1',
    '1e999',
    '.nan',
    '0x10',
    '2001-01-01',
    '""',
    "''",
    '|',
    '>-',
    '"',
    "'",
    '[',
    '{',
    ']',
    '}',
  ],
  ...[
    '{name}',
    '{{name}}',
    '"{name}"',
    '"{"',
    '{a: {b}}',
    '[[a]: b]',
    '*a',
    '&a [*a]',
    '&a {b: *a}',
    '!!binary aGk=',
    '!!set {a}',
    '!x y',
    '@',
    '`',
  ],
  ...[
    'string',
    'object',
    '[string, "null"]',
    '"("',
    '"(a+)+$"',
    '"#"',
    '"#/$defs/x"',
    '{$ref: "#"}',
    '{$ref: "#/properties/a"}',
    '{not: {}}',
  ],
  ...[
    '"\\u0000"',
    '"\\ud800"',
    '\u0000',
    '\u2028',
    '\u{1F600}',
    '-',
    '- - - a',
    '? a',
    'a: b: c',
    '# a',
    '%TAG ! a',
    '---',
    '...',
    '\t',
    '\r',
  ],
  ...[
    '{type: object, properties: {__proto__: {type: string}}}',
    '{type: array, items: {$ref: "#/items"}}',
    '[null]',
    '{"": null}',
    '{null: null}',
  ],
  ...['https://[', '"http://{a}@b/{c}"', '"/\\0"', './a.ts', '../../../../etc/passwd', '99999999999999999999', '1_000', 'yes', '0o7', '-0'],
];

const nested = (depth: number, random: Random): string =>
  random.oneOf([
    () => '['.repeat(depth),
    () => `${'['.repeat(depth)}${']'.repeat(depth)}`,
    () => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`,
    () => `${'{type: object, properties: {a: '.repeat(depth)}{}${'}}'.repeat(depth)}`,
    () => `${'{type: array, items: '.repeat(depth)}{}${'}'.repeat(depth)}`,
    () => `\n${Array.from({ length: depth }, (_, n) => `${' '.repeat(n + 8)}a:\n`).join('')}`,
    () => '- '.repeat(depth),
    () => '? '.repeat(depth),
    () => `${'[? '.repeat(depth)}`,
    () => `{${'{a: '.repeat(depth)}`,
  ])();

const aliases = (count: number, random: Random): string =>
  random.oneOf([
    () => `&z0 [a]\n${Array.from({ length: count }, (_, n) => `x-${n}: &z${n + 1} [*z${n}, *z${n}]\n`).join('')}`,
    () => `[&z a${', *z'.repeat(count)}]`,
    () => `{a: &z {type: string}, ${Array.from({ length: count }, (_, n) => `b${n}: *z`).join(', ')}}`,
    () => '&a '.repeat(count),
    () => `&a {b: &b [*a], c: *b}`,
  ])();

const long = (length: number, random: Random): string =>
  random.oneOf([
    () => 'a'.repeat(length),
    () => `"${'\\'.repeat(length)}"`,
    () => `"${'{a}'.repeat(length / 3)}"`,
    () => `"${Array.from({ length: length / 8 }, (_, n) => `{p${n}}`).join('')}"`,
    () => `"${'('.repeat(length / 2)}${')'.repeat(length / 2)}"`,
    () => `[${'a,'.repeat(length / 2)}]`,
    () => `{${Array.from({ length: length / 12 }, (_, n) => `k${n}: {}`).join(', ')}}`,
    () => '9'.repeat(length),
    () => ' '.repeat(length),
    () => `'${"'".repeat(length)}`,
    () => `|\n${'  a\n'.repeat(length / 4)}`,
    () => `\u{1F469}${'\u200D\u{1F469}'.repeat(length / 5)}`,
    () => `#${'#'.repeat(length)}`,
    () => ','.repeat(length),
  ])();

const bytes = [0x00, 0x09, 0x0a, 0x0d, 0x22, 0x23, 0x26, 0x27, 0x2a, 0x2d, 0x3a, 0x3f, 0x5b, 0x5d, 0x7b, 0x7d, 0x7f, 0x80, 0xc3, 0xff];

export const mutations: Readonly<Record<string, Mutation>> = {
  'a bit flipped': (content, random) => {
    const changed = Buffer.from(content);
    for (let count = 1 + random.below(4); count > 0; count--) {
      const at = random.below(changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    }
    return changed;
  },
  'a byte put in': (content, random) => {
    const at = random.below(content.length);
    return Buffer.concat([content.subarray(0, at), Buffer.from([random.oneOf(bytes)]), content.subarray(at)]);
  },
  'cut off': (content, random) => content.subarray(0, random.below(content.length)),
  'a piece cut out': (content, random) => {
    const at = random.below(content.length);
    return Buffer.concat([content.subarray(0, at), content.subarray(at + random.below(200))]);
  },
  'a line left out': onLines((lines, random) => void lines.splice(random.below(lines.length), 1)),
  'a line twice': onLines((lines, random) => {
    const at = random.below(lines.length);
    lines.splice(at, 0, lines[at] ?? '');
  }),
  'two lines exchanged': onLines((lines, random) => {
    const [one, other] = [random.below(lines.length), random.below(lines.length)];
    [lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? ''];
  }),
  'a line moved in or out': onLines((lines, random) => {
    const at = random.below(lines.length);
    const line = lines[at] ?? '';
    lines[at] = random.below(2) === 0 ? `${' '.repeat(1 + random.below(4))}${line}` : line.replace(/^ {1,2}/, '');
  }),
  'another key': inPlaceOf(key, (_, random) => random.oneOf(keys)),
  'a key mistyped': inPlaceOf(key, (name, random) => {
    const at = random.below(name.length);
    return `${name.slice(0, at)}${random.oneOf(['', 'e', '_', name[at] ?? ''])}${name.slice(at + 1)}`;
  }),
  'another value': inPlaceOf(value, (_, random) => random.oneOf(values)),
  'a key put in': inPlaceOf(
    /^[ \t]*(?=[\w$-]+:)/gm,
    (indent, random) => `${indent}${random.oneOf(keys)}: ${random.oneOf(values)}\n${indent}`,
  ),
  'a value nested deeply': inPlaceOf(value, (_, random) => nested(random.oneOf([5, 20, 33, 64, 65, 100, 500, 3000, 20_000]), random)),
  aliases: inPlaceOf(value, (_, random) => aliases(random.oneOf([3, 15, 30, 500, 3000]), random)),
  'something long': inPlaceOf(value, (_, random) => long(random.oneOf([300, 5000, 60_000, 300_000]), random)),
  'something long as a key': inPlaceOf(key, (_, random) => long(random.oneOf([300, 2000, 60_000]), random)),
  'other ends of lines': onText((text, random) => text.replaceAll('\n', random.oneOf(['\r', '\r\n', '\n\r', '\u2028', '\u0085']))),
  'another encoding': (content, random) =>
    random.oneOf([
      () => Buffer.from(`\uFEFF${content.toString('utf8')}`),
      () => Buffer.from(`\uFEFF${content.toString('utf8')}`, 'utf16le'),
      () => Buffer.from(content.toString('utf8'), 'latin1'),
    ])(),
};

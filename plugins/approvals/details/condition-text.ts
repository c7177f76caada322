import { isPlainObject } from '../../../kernel/index.ts';
import { terminalText } from '../../shared/text/visible-text.ts';

/**
 * Returns a CEL condition that is true for exactly this value: of the same kinds, members and items, at any depth. Undefined for a value that no CEL
 * literal can be. `expression`: the CEL expression of the value, such as `params`. Integers beyond 2^53 are bigints.
 */
export function conditionFor(expression: string, value: unknown): string | undefined {
  const terms = termsFor(expression, value);
  return terms.every((term) => term !== undefined) ? terms.join(' && ') : undefined;
}

/** Lists are compared item by item: a literal may not mix kinds, and `==` of lists and maps would depend on them. */
function termsFor(expression: string, value: unknown): readonly (string | undefined)[] {
  if (Array.isArray(value))
    return [
      `type(${expression}) == list`,
      `size(${expression}) == ${value.length}`,
      ...value.flatMap((item, index) => termsFor(`${expression}[${index}]`, item)),
    ];
  if (isPlainObject(value)) {
    const members = Object.entries(value);
    return [
      ...(expression === 'params' ? [] : [`type(${expression}) == map`]),
      `size(${expression}) == ${members.length}`,
      ...members.flatMap(([name, member]) => termsFor(`${expression}[${textLiteral(name)}]`, member)),
    ];
  }
  const literal = literalFor(value);
  return [literal === undefined ? undefined : `${expression} == ${literal}`];
}

function literalFor(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return textLiteral(value);
  if (typeof value === 'number' && Number.isFinite(value)) return numberLiteral(value);
  return undefined;
}

/** Returns a CEL double: numbers of conditions are doubles. */
function numberLiteral(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Returns a CEL string on one line, with characters that a reader cannot see escaped. */
export function textLiteral(text: string): string {
  const characters = [...text].map((character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    return terminalText(character) === character ? character : escaped(character);
  });
  return `"${characters.join('')}"`;
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

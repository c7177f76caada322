import type { JsonSchema } from '../../../kernel/index.ts';
import { patternText } from './pattern-text.ts';

const byFormat: Readonly<Record<string, (turn: number) => string>> = {
  'date-time': (turn) => `2026-02-${two((turn % 28) + 1)}T09:30:00Z`,
  date: (turn) => `2026-02-${two((turn % 28) + 1)}`,
  'date-time-rfc-2822': (turn) => `Tue, ${two((turn % 28) + 1)} Nov 2026 09:30:00 +0000`,
  email: (turn) => `mona${turn}@example.com`,
  uri: (turn) => `https://example.com/things/${turn}`,
  uuid: (turn) => `c02fc1d3-db8b-45c5-a222-27595b15${String(turn % 10_000).padStart(4, '0')}`,
  byte: (turn) => Buffer.from(`Größe ${turn}?>`, 'utf8').toString('base64url'),
  int64: (turn) => `1790000000${String(turn % 1000).padStart(3, '0')}`,
  uint64: (turn) => `99000${turn}`,
  'phone-number': (turn) => `+1555${String(turn % 10_000_000).padStart(7, '0')}`,
  currency: () => 'USD',
};

/** A text that fits a schema, another one for another turn. Texts without a format are not ASCII. */
export function generatedText(schema: JsonSchema, turn: number): string {
  const { pattern, maxLength, format, 'x-format': loose = format } = schema;
  const known = typeof loose === 'string' && Object.hasOwn(byFormat, loose) ? byFormat[loose] : undefined;
  if (known !== undefined) return known(turn);
  if (typeof pattern === 'string') return patternText(pattern, turn);
  return `Größe “${turn}” ✓`.slice(0, typeof maxLength === 'number' ? maxLength : undefined);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

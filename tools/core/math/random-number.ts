import { ToolkitError } from '../../../kernel/index.ts';
import { drawBelow, drawFraction } from './random-bits.ts';

interface RandomParameters {
  readonly minimum: number;
  readonly maximum: number;
  readonly count: number;
  readonly integer: boolean;
  readonly unique: boolean;
}

/** Maximum draws in a row without a new number. Then the bounds count as too narrow. */
const maxRepeats = 1000;

/** Draws numbers from the random source of the operating system. Throws INVALID_PARAMETERS for bounds with too few numbers between them. */
export function randomNumbers(parameters: RandomParameters): { readonly values: readonly number[] } {
  const { minimum, maximum, integer } = parameters;
  if (minimum > maximum) throw badBound('minimum', `expected at most the maximum, which is ${maximum}, received ${minimum}`);
  return { values: integer ? wholeNumbers(parameters) : decimals(parameters) };
}

function wholeNumbers({ minimum, maximum, count, unique }: RandomParameters): number[] {
  const [first, last] = [safeBound('minimum', Math.ceil(minimum)), safeBound('maximum', Math.floor(maximum))];
  const range = last - first + 1n;
  if (range < 1n)
    throw badBound('maximum', `expected a whole number from ${minimum} to ${maximum}, and there is none. Set "integer" to false`);
  if (unique && range < BigInt(count)) throw tooFew(count, String(range), 'different whole numbers from minimum to maximum');
  const drawn = unique ? distinctBelow(range, count) : Array.from({ length: count }, () => drawBelow(range));
  return drawn.map((offset) => Number(first + offset));
}

/** Draws a set by Floyd's algorithm, which wastes no draw, and shuffles it (Fisher and Yates). */
function distinctBelow(range: bigint, count: number): bigint[] {
  const set = new Set<bigint>();
  for (let end = range - BigInt(count) + 1n; end <= range; end += 1n) {
    const drawn = drawBelow(end);
    set.add(set.has(drawn) ? end - 1n : drawn);
  }
  const order = [...set];
  for (let end = order.length; end > 1; end -= 1) {
    const place = Number(drawBelow(BigInt(end)));
    [order[end - 1], order[place]] = [order[place] as bigint, order[end - 1] as bigint];
  }
  return order;
}

function decimals({ minimum, maximum, count, unique }: RandomParameters): number[] {
  if (!unique) return Array.from({ length: count }, () => drawBetween(minimum, maximum));
  const values = new Set<number>();
  for (let repeats = 0; values.size < count; ) {
    const known = values.size;
    values.add(drawBetween(minimum, maximum));
    repeats = values.size === known ? repeats + 1 : 0;
    if (repeats > maxRepeats) throw tooFew(count, `hardly more than ${known}`, 'different decimal numbers between minimum and maximum');
  }
  return [...values];
}

/** Draws again when rounding reaches the maximum; between neighbours every second draw gives the minimum. */
function drawBetween(minimum: number, maximum: number): number {
  if (minimum === maximum) return minimum;
  for (;;) {
    const share = drawFraction();
    // Not minimum + share * (maximum - minimum): the difference may be infinite.
    const value = minimum * (1 - share) + maximum * share;
    if (value >= minimum && value < maximum) return value;
  }
}

function safeBound(path: 'minimum' | 'maximum', value: number): bigint {
  if (Number.isSafeInteger(value)) return BigInt(value);
  throw badBound(
    path,
    `expected a number from -9007199254740991 to 9007199254740991, received ${value}. Beyond them set "integer" to false`,
  );
}

function tooFew(count: number, found: string, what: string): ToolkitError {
  return badBound(
    'count',
    `expected no more than there are ${what}, which is ${found}, received ${count}. Ask for fewer, or set "unique" to false`,
  );
}

function badBound(path: string, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${path}": ${message}.`, { issues: [{ path, message }] });
}

import { didYouMean, excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { createUnitCalculator, type Unit, type UnitCalculator } from './unit-calculator.ts';

interface ConvertUnitsParameters {
  readonly value: number;
  readonly from: string;
  readonly to: string;
}

/** Common spellings, and the names that math.js reads. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/°\s*([CF])\b/g, 'deg$1'],
  [/°/g, ' deg '],
  [/[\u00b5\u03bc]/g, 'u'],
  [/[\u03a9\u2126]/g, 'ohm'],
  [/[\u00c5\u212b]/g, 'angstrom'],
  [/²/g, '^2'],
  [/³/g, '^3'],
  [/[·⋅×]/g, '*'],
];

/** Shared by all calls: creating it takes longer than a call, and a call cannot change it. */
let calculatorOfAll: Promise<UnitCalculator> | undefined;

/** Converts a quantity. Throws INVALID_PARAMETERS for an unknown unit or one of another quantity, EXECUTION_FAILED for a number too large. */
export async function convertUnits({ value, from, to }: ConvertUnitsParameters): Promise<ConvertUnitsParameters> {
  calculatorOfAll ??= createUnitCalculator();
  const calculator = await calculatorOfAll;
  const [source, target] = [readUnit(from, 'from', calculator), readUnit(to, 'to', calculator)];
  if (!source.equalBase(target)) throw otherQuantity(from, to, [source, target], calculator);
  const converted = calculator.convert(value, normalizeSpelling(from), normalizeSpelling(to));
  if (Number.isFinite(converted)) return { value: converted, from, to };
  throw new ToolkitError(
    'EXECUTION_FAILED',
    `${value} "${from}" in "${to}" is beyond ±1.8e308, the largest number there is. Choose a larger unit.`,
  );
}

function normalizeSpelling(unit: string): string {
  return spellings.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), unit);
}

function readUnit(text: string, path: 'from' | 'to', calculator: UnitCalculator): Unit {
  const unit = parse(text, path, calculator);
  if (unit.value === null) return unit;
  throw badUnit(
    path,
    `expected a unit alone, received "${excerpt(text)}", which holds a number. Put numbers into "value"; write 1/s as s^-1`,
  );
}

function parse(text: string, path: 'from' | 'to', calculator: UnitCalculator): Unit {
  try {
    return calculator.parse(normalizeSpelling(text));
  } catch (error) {
    const [, unknown] = /^Unit "(.*)" not found/s.exec(messageOf(error)) ?? [];
    if (unknown === undefined) throw badUnit(path, `expected a unit such as km/h or J/(kg K), received "${excerpt(text)}"`);
    throw badUnit(path, `expected a known unit, received "${excerpt(unknown)}"`, suggestion(unknown, calculator));
  }
}

/** Suggests units with the same first letter: among the many short names almost all are similar. */
function suggestion(unknown: string, calculator: UnitCalculator): string {
  const first = unknown.slice(0, 1).toLowerCase();
  const names = calculator.names().filter((name) => name.toLowerCase().startsWith(first));
  return didYouMean(unknown, names) || ' Symbols such as km, lb, degC and English names are known.';
}

function otherQuantity(from: string, to: string, units: readonly Unit[], { dimensionNames }: UnitCalculator): ToolkitError {
  const [given, wanted] = units.map(({ dimensions }) =>
    dimensions.flatMap((power, index) => (power === 0 ? [] : [`${dimensionNames[index] ?? ''}${power === 1 ? '' : `^${power}`}`])),
  );
  const what = (names: readonly string[] = []): string => names.join(' ').toLowerCase().replaceAll('_', ' ') || 'a plain number';
  const isTemperature = [from, to].some((unit) => /^[CF]$/.test(unit));
  const hint = isTemperature ? ' C is coulomb and F farad; temperatures are degC and degF.' : '';
  return badUnit(
    'to',
    `expected a unit of the same quantity as "${excerpt(from)}" (${what(given)}), received "${excerpt(to)}" (${what(wanted)})`,
    hint,
  );
}

function badUnit(path: 'from' | 'to', message: string, hint = ''): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${path}": ${message}.${hint}`, { issues: [{ path, message }] });
}

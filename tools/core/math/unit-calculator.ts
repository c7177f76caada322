import type { FactoryFunctionMap } from 'mathjs';

/** A unit, with a number or without. */
export interface Unit {
  /** Null for a unit without a number. */
  readonly value: unknown;
  /** Powers of the base dimensions. */
  readonly dimensions: readonly number[];
  equalBase(other: Unit): boolean;
}

/**
 * The part of math.js that the tool uses. It only reads units: their parser is not that of expressions, and calls no function. math.js caches
 * units that it has read only to choose units itself, and here every unit is given.
 */
export interface UnitCalculator {
  /** Throws for a text that is no unit. */
  parse(text: string): Unit;
  /** May return an infinite number. */
  convert(value: number, from: string, to: string): number;
  readonly dimensionNames: readonly string[];
  /** Every unit with every prefix it takes. */
  names(): string[];
}

interface OwnUnit {
  readonly definition: string;
  readonly prefixes?: 'none' | 'short' | 'long';
  readonly aliases?: readonly string[];
}

/** Units that math.js lacks or has with a few digits only (SI brochure, 9th edition; NIST Special Publication 811, appendix B). */
const ownUnits: Readonly<Record<string, OwnUnit>> = {
  metre: { definition: '1 m', prefixes: 'long', aliases: ['metres'] },
  ha: { definition: '10000 m^2' },
  acre: { definition: '4046.8564224 m^2', aliases: ['acres'] },
  nauticalmile: { definition: '1852 m', aliases: ['nauticalmiles', 'nmi'] },
  lightyear: { definition: '9460730472580800 m', aliases: ['lightyears', 'ly'] },
  d: { definition: '86400 s' },
  mph: { definition: '1 mi/h' },
  knot: { definition: '1852 m/h', aliases: ['knots', 'kn'] },
  mpg: { definition: '1 mi/gal' },
  cal: { definition: '4.184 J', prefixes: 'short' },
  calorie: { definition: '4.184 J', prefixes: 'long', aliases: ['calories'] },
  eV: { definition: '1.602176634e-19 J', prefixes: 'short' },
  electronvolt: { definition: '1.602176634e-19 J', prefixes: 'long', aliases: ['electronvolts'] },
  hp: { definition: '745.6998715822702 W' },
  psi: { definition: '6894.757293168361 Pa' },
  kip: { definition: '4448.2216152605 N', aliases: ['kips'] },
  torr: { definition: '133.32236842105263 Pa' },
  mmHg: { definition: '133.322387415 Pa', aliases: ['mmhg'] },
};

interface UnitClass {
  readonly BASE_DIMENSIONS: readonly string[];
  readonly UNITS: Readonly<Record<string, { readonly name: string; readonly prefixes: Readonly<Record<string, unknown>> }>>;
  parse(text: string): Unit;
}

/** Creates a calculator of its own in decimal numbers: floating point would show in the last digits of temperatures. */
export async function createUnitCalculator(): Promise<UnitCalculator> {
  const { bignumberDependencies, create, createUnitDependencies, UnitDependencies, unitDependencies } = await import('mathjs');
  const parts = { bignumberDependencies, createUnitDependencies, UnitDependencies, unitDependencies };
  const math = create(parts as FactoryFunctionMap, { number: 'BigNumber', precision: 40 });
  math.createUnit(ownUnits as never, { override: true });
  const { Unit } = math as unknown as { readonly Unit: UnitClass };
  return {
    parse: (text) => Unit.parse(text),
    convert: (value, from, to) => Number(math.unit(math.bignumber(String(value)), from).toNumeric(to)),
    dimensionNames: Unit.BASE_DIMENSIONS,
    names: () => Object.entries(Unit.UNITS).flatMap(([name, { prefixes }]) => Object.keys(prefixes).map((prefix) => prefix + name)),
  };
}

import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { calculating } from './calculating.ts';

/** Size of each unit in the base unit, by definition, as a Python fraction. */
const factors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  m: {
    km: '1000',
    inch: '0.0254',
    ft: '0.3048',
    yards: '0.9144',
    miles: '1609.344',
    nauticalmile: '1852',
    kilometres: '1000',
    µm: '1/1000000',
    ly: '9460730472580800',
  },
  'm^2': { acre: '4046.8564224', ha: '10000', 'km²': '1000000', sqft: '0.09290304' },
  l: { gal: '3.785411784', pint: '0.473176473', cup: '0.2365882365', 'm³': '1000', 'cm^3': '1/1000' },
  kg: { lb: '0.45359237', oz: '0.45359237/16', tonne: '1000', ton: '907.18474', stone: '6.35029318' },
  'm/s': { 'km/h': '1/3.6', mph: '0.44704', knot: '1852/3600' },
  J: { kWh: '3600000', kcal: '4184', eV: '1.602176634e-19', kiloelectronvolt: '1.602176634e-16', N·m: '1' },
  W: { hp: '550 * 0.3048 * 4.4482216152605' },
  Pa: { bar: '100000', atm: '101325', torr: '101325/760', mmHg: '133.322387415', psi: '4.4482216152605 / 0.0254 / 0.0254' },
  s: { h: '3600', d: '86400', weeks: '604800', year: '365.25 * 86400' },
  B: { MB: '1000000', GiB: '1073741824', b: '1/8' },
};

describe('math_convert_units', () => {
  const convert = calculating('math_convert_units');
  const converted = async (value: number, from: string, to: string): Promise<number> =>
    (await convert<{ value: number }>({ value, from, to })).value;

  for (const [base, units] of Object.entries(factors)) {
    it(`converts to and from ${base} as the definitions say, to the last digit but one`, async () => {
      const fractions = Object.values(units).map((factor) => factor.replace(/[\d.e-]*\d/g, 'Fraction("$&")'));
      const value = 'Fraction("3.7")';
      const expected = pythonValue(
        `[[float(f * ${value}), float(${value} / f)] for f in [${fractions.join(', ')}]]`,
        null,
        'from fractions import Fraction',
      ) as [number, number][];
      for (const [index, unit] of Object.keys(units).entries()) {
        const [there, back] = expected[index] as [number, number];
        expect(Math.abs((await converted(3.7, unit, base)) / there - 1), unit).to.be.below(4e-16);
        expect(Math.abs((await converted(3.7, base, unit)) / back - 1), unit).to.be.below(4e-16);
      }
    });
  }

  const temperatures = [
    { value: 100, from: 'degC', to: 'degF', is: 212 },
    { value: -40, from: 'celsius', to: 'fahrenheit', is: -40 },
    { value: 98.6, from: '°F', to: '° C', is: 37 },
    { value: 0, from: 'K', to: 'degC', is: -273.15 },
    { value: 36.6, from: 'degC', to: 'K', is: 309.75 },
    { value: 9, from: 'degR', to: 'K', is: 5 },
    { value: 18, from: 'degF/min', to: 'K/min', is: 10 },
  ];
  for (const { is, ...parameters } of temperatures) {
    it(`converts ${parameters.value} ${parameters.from} to ${is} ${parameters.to}, without a rest`, async () => {
      expect(await convert(parameters)).to.deep.equal({ ...parameters, value: is });
    });
  }

  const spellings = [
    { from: '°', to: 'rad', is: Math.PI / 180 },
    { from: 'μs', to: 'ns', is: 1000 },
    { from: 'k\u03a9', to: 'ohm', is: 1000 },
    { from: 'k\u2126', to: 'ohm', is: 1000 },
    { from: '\u212b', to: 'nm', is: 0.1 },
    { from: 'm/s²', to: 'm s^-2', is: 1 },
    { from: 'kg × m', to: 'g m', is: 1000 },
    { from: 'J/(kg K)', to: 'J kg^-1 K^-1', is: 1 },
    { from: ' km ', to: 'm', is: 1000 },
  ];
  for (const { is, ...units } of spellings) {
    it(`understands "${units.from}" and "${units.to}"`, async () => {
      expect(await convert({ value: 1, ...units })).to.deep.equal({ ...units, value: is });
    });
  }

  it('keeps the digits of large and small numbers, and the sign', async () => {
    expect(await converted(9007199254740991, 'B', 'B')).to.equal(9007199254740991);
    expect(await converted(-0.1, 'inch', 'cm')).to.equal(-0.254);
    expect(await converted(5e-324, 'm', 'm')).to.equal(5e-324);
    expect(await converted(0, 'km', 'm')).to.equal(0);
  });

  const mistakes = [
    { from: 'meterz', path: 'from', says: 'expected a known unit, received "meterz". Did you mean "meter" or "meters"' },
    { from: 'celcius', path: 'from', says: 'Did you mean "celsius"?' },
    { from: 'kilogramm', path: 'from', says: 'Did you mean "kilogram" or "kilograms"' },
    { to: 'zorkmids', path: 'to', says: 'received "zorkmids". Symbols such as km' },
    { from: 'größe', path: 'from', says: 'expected a unit such as km/h or J/(kg K), received "größe"' },
    { from: '€', to: '$', path: 'from', says: 'received "€"' },
    { from: ' ', path: 'from', says: 'expected a unit such as' },
    { from: '5 cm', path: 'from', says: 'expected a unit alone, received "5 cm", which holds a number. Put numbers into "value"' },
    { to: '1/s', from: 'Hz', path: 'to', says: 'write 1/s as s^-1' },
    { from: 'm', to: 'kg', path: 'to', says: 'the same quantity as "m" (length), received "kg" (mass)' },
    { from: 'm/m', to: 'rad', path: 'to', says: '(a plain number), received "rad" (angle)' },
    { from: 'C', to: 'F', path: 'to', says: 'C is coulomb and F farad; temperatures are degC and degF' },
    { from: 'N', to: 'lm^9', path: 'to', says: 'received "lm"' },
  ];
  for (const { path, says, ...units } of mistakes) {
    it(`says what is wrong with ${JSON.stringify(units)}`, async () => {
      const error = await rejection(convert({ value: 1, from: 'm', to: 'm', ...units }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`Parameter "${path}"`).and.include(says);
      expect(error.details.issues).to.have.nested.property('[0].path', path);
    });
  }

  const attacks = [
    ...['evaluate("1+1")', 'import({})', 'createUnit("x")', 'parse', 'cos(1)', 'f(x)=x', 'm; n = 1', 'm ? m : m', '[m]', '{m}', '"m"'],
    ...['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'm.constructor', 'm["constructor"]', 'process', 'this'],
    ...[
      'm/constructor',
      'kconstructor',
      'm^constructor',
      'm^(1+1)',
      'm^NaN',
      'm^Infinity',
      'm\u0000',
      'm\nn',
      '('.repeat(100),
      '$' + '{m}',
    ],
  ];
  it('reads a unit as a unit and nothing else', async () => {
    for (const attack of attacks) {
      await rejection(convert({ value: 1, from: attack, to: 'm' }), 'INVALID_PARAMETERS');
      await rejection(convert({ value: 1, from: 'm', to: attack }), 'INVALID_PARAMETERS');
    }
    expect(await converted(1, 'km', 'm')).to.equal(1000);
  });

  it('converts as before, whatever other calls have read meanwhile', async () => {
    const asked = [
      { value: 3, from: 'm', to: 'inch' },
      { value: 2, from: 'kg m/s^2', to: 'lbf' },
      { value: 98.6, from: 'degF', to: 'degC' },
      { value: 5, from: 'kWh', to: 'J' },
    ];
    const before = await Promise.all(asked.map((parameters) => convert(parameters)));
    for (const [from, to] of [
      ['ft', 'mile'],
      ['dyn', 'N'],
      ['degR', 'degF'],
      ['erg', 'BTU'],
      ['lbf ft', 'dyn cm'],
      ['g', 'stone'],
    ])
      await convert({ value: 7, from, to });
    await rejection(convert({ value: 1, from: 'inch = 3 m', to: 'm' }), 'INVALID_PARAMETERS');
    expect(await Promise.all(asked.map((parameters) => convert(parameters)))).to.deep.equal(before);
  });

  it('is not kept busy by enormous powers', async () => {
    expect(await converted(1, 'm^999999999999', 'km^999999999999')).to.equal(0);
    await rejection(convert({ value: 1, from: 'km^999999999999', to: 'm^999999999999' }), 'EXECUTION_FAILED');
  });

  it('refuses a result beyond the range of numbers', async () => {
    const error = await rejection(convert({ value: 1e308, from: 'km', to: 'mm' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('1e+308 "km" in "mm" is beyond').and.include('Choose a larger unit');
  });

  const refused = [
    { parameters: { from: 'm', to: 'km' }, says: 'value is required' },
    { parameters: { value: '5', from: 'm', to: 'km' }, says: 'value expected' },
    { parameters: { value: 5, from: '', to: 'km' }, says: 'from expected' },
    { parameters: { value: 5, from: 'm'.repeat(101), to: 'km' }, says: 'from expected' },
    { parameters: { value: 5, from: 'm', to: ['km'] }, says: 'to expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 40)}: ${says}`, async () => {
      expect((await rejection(convert(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }

  it('has a time limit of its own, in a process of its own', async () => {
    const { kernel } = await coreGroup('math').coreToolkit();
    expect(kernel.registry.get('math_convert_units').execution).to.include({ worker: 'process', timeout_ms: 20_000 });
  });
});

import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { calculating } from './calculating.ts';

describe('math_convert_base', () => {
  const convert = calculating('math_convert_base');

  const cases = [
    { number: '255', to: 16, is: 'ff' },
    { number: 'FF', from: 16, to: 10, is: '255' },
    { number: 'Zz', from: 36, to: 10, is: '1295' },
    { number: '0', to: 2, is: '0' },
    { number: '-0', to: 2, is: '0' },
    { number: '-255', to: 2, is: '-11111111' },
    { number: '+7', to: 8, is: '7' },
    { number: ' - 12 ', to: 10, is: '-12' },
    { number: '000123', to: 10, is: '123' },
    { number: '0xff', from: 16, to: 10, is: '255' },
    { number: '-0XFF', from: 16, to: 10, is: '-255' },
    { number: '0o17', from: 8, to: 10, is: '15' },
    { number: '0b101', from: 2, to: 10, is: '5' },
    { number: '0b1', from: 16, to: 10, is: '177' },
    { number: '1_000_000', to: 10, is: '1000000' },
    { number: '1 000 000', to: 10, is: '1000000' },
    { number: 'dead beef', from: 16, to: 10, is: '3735928559' },
    { number: '9007199254740993', to: 10, is: '9007199254740993' },
  ];
  for (const { is, ...parameters } of cases) {
    it(`gives ${is} for ${JSON.stringify(parameters)}`, async () => {
      expect(await convert(parameters)).to.deep.equal({ number: is });
    });
  }

  it('reads every base as Python does, and writes it back', async () => {
    const digits = '0123456789abcdefghijklmnopqrstuvwxyz';
    const numbers = Array.from({ length: 35 }, (_, index) => {
      const base = index + 2;
      const digit = (place: number): string => digits[(place * 7 + base) % base] ?? '';
      return { base, number: `-1${Array.from({ length: 60 }, (_unused, place) => digit(place)).join('')}` };
    });
    const expected = pythonValue('[str(int(item["number"], item["base"])) for item in given]', numbers);
    const given = await Promise.all(numbers.map(({ base, number }) => convert<{ number: string }>({ number, from: base, to: 10 })));
    expect(given.map(({ number }) => number)).to.deep.equal(expected);
    const back = await Promise.all(given.map(({ number }, index) => convert({ number, to: index + 2 })));
    expect(back).to.deep.equal(numbers.map(({ number }) => ({ number })));
  });

  it('takes 20,000 digits', async () => {
    const number = '9'.repeat(20_000);
    expect(await convert({ number, to: 16 })).to.deep.equal({ number: pythonValue('hex(int(given))[2:]', number) });
  });

  const mistakes = [
    { number: '12a', says: 'expected digits of base 10 (0 to 9), received "a" at character 3', position: 3 },
    { number: '-0b102', from: 2, says: 'expected digits of base 2 (0 to 1), received "2" at character 6', position: 6 },
    { number: '1g', from: 16, says: '(0 to 9 and a to f), received "g" at character 2. Correct it, or set "from"', position: 2 },
    { number: '1b', from: 11, says: '(0 to 9 and a), received "b" at character 2', position: 2 },
    { number: '1.5', says: 'received "." at character 2. Only whole numbers can be converted', position: 2 },
    { number: '1,000', says: 'received "," at character 2. Only whole numbers', position: 2 },
    { number: '1__0', says: 'received "_" at character 2. A separator stands alone', position: 2 },
    { number: '_10', says: 'received "_" at character 1. A separator', position: 1 },
    { number: '10_', says: 'received "_" at character 3. A separator', position: 3 },
    { number: '0x_ff', from: 16, says: 'received "_" at character 3. A separator', position: 3 },
    { number: '  1é', says: 'received "é" at character 4', position: 4 },
    { number: '٣', says: 'received "٣" at character 1', position: 1 },
    { number: '1😀', says: 'received "😀" at character 2', position: 2 },
    { number: '--5', says: 'received "-" at character 2', position: 2 },
    { number: '0xff', says: 'received "x" at character 2', position: 2 },
    { number: '-', says: 'expected digits of base 10, received "-"' },
    { number: ' ', says: 'expected digits of base 10, received ""' },
    { number: '0x', from: 16, says: 'expected digits of base 16, received "0x"' },
    { number: '1e5', says: 'received "e" at character 2', position: 2 },
  ];
  for (const { says, position, ...parameters } of mistakes) {
    it(`says what is wrong with ${JSON.stringify(parameters)}`, async () => {
      const error = await rejection(convert({ to: 10, ...parameters }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "number"').and.include(says);
      expect(error.details['position']).to.equal(position);
      expect(error.details.issues).to.have.nested.property('[0].path', 'number');
    });
  }

  const refused = [
    { parameters: { to: 2 }, says: 'number is required' },
    { parameters: { number: '1' }, says: 'to is required' },
    { parameters: { number: '', to: 2 }, says: 'number expected' },
    { parameters: { number: 255, to: 2 }, says: 'number expected' },
    { parameters: { number: '1'.repeat(20_001), to: 2 }, says: 'number expected' },
    { parameters: { number: '1', to: 37 }, says: 'to expected' },
    { parameters: { number: '1', from: 1, to: 2 }, says: 'from expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 40)}: ${says}`, async () => {
      expect((await rejection(convert(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});

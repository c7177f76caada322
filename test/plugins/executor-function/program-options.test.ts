import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { functionKernel } from './function-kernel.ts';

const files = { 'it.mjs': 'export const run = ({ value }) => value;\n' };

const refused = [
  { what: 'a text', value: '-x', place: 'value' },
  { what: 'an item of a list', value: ['a', '--b'], place: 'value[1]' },
  { what: 'a member of an object', value: { a: { b: ['-'] } }, place: 'value.a.b[0]' },
];

const passed = [{ value: 'a-b' }, { value: -1 }, { value: [-1, 'x'] }, { value: { '-a': 'b' } }];

describe('a parameter of a function that says "options: false"', () => {
  const open = (options: boolean) =>
    functionKernel({ files, tools: { give: './it.mjs' }, definition: { parameters: { value: { options } } } });

  for (const { what, value, place } of refused)
    it(`refuses ${what} that begins with a hyphen`, async () => {
      const { kernel } = await open(false);
      const { details } = await rejection(kernel.execute('give', { value }), 'INVALID_PARAMETERS');
      expect((details.issues ?? []).map((issue) => issue.path)).to.deep.equal([place]);
    });

  for (const { value } of passed)
    it(`takes ${JSON.stringify(value)}`, async () => {
      const { kernel } = await open(false);
      expect(await kernel.execute('give', { value })).to.deep.equal(value);
    });

  it('is shown to nobody, and one that says true takes everything', async () => {
    const { kernel } = await open(true);
    expect(await kernel.execute('give', { value: ['-x'] })).to.deep.equal(['-x']);
    expect(JSON.stringify(kernel.registry.tools.get('give')?.inputSchema)).to.not.include('options');
  });
});

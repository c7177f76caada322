import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { commandKernel, printArguments } from './command-kernel.ts';

interface Row {
  readonly what: string;
  readonly args: readonly (string | readonly string[])[];
  /** Keys of the parameter `x`. */
  readonly x?: Readonly<Record<string, unknown>>;
  readonly value: unknown;
  /** Arguments that the program receives; undefined when the call is refused. */
  readonly received?: readonly string[];
  /** Where the refusal says that the value is. @default x */
  readonly place?: string;
}

const list = { type: 'array', items: { type: 'string' } };

const rows: readonly Row[] = [
  { what: 'a text that begins with a hyphen', args: ['{x}'], value: '-la' },
  { what: 'a single hyphen', args: ['{x}'], value: '-' },
  { what: 'two hyphens', args: ['{x}'], value: '--' },
  { what: 'a number as text', args: ['{x}'], value: '-1' },
  { what: 'the beginning of a longer argument', args: ['{x}.txt'], value: '-rf' },
  { what: 'a value behind one that is empty', args: ['{empty}{x}'], value: '-rf' },
  { what: 'an item of a list', args: ['{x}'], x: list, value: ['a', '-b'], place: 'x[1]' },
  { what: 'a value of a group', args: [['--files', '{x}']], x: list, value: ['-b'], place: 'x[0]' },
  { what: 'a value before the hyphens that end options', args: ['{x}', '--'], value: '-a' },
  { what: 'hyphens that come from the caller', args: ['{first}', '{x}'], value: '-a', place: 'first' },
  { what: 'hyphens of a group that is dropped', args: [['--', '{absent}'], '{x}'], value: '-a' },
  { what: 'a value beside those that are listed', args: ['{x}'], x: { type: 'string', default: '-a' }, value: '-b' },
  { what: 'a text that has a hyphen elsewhere', args: ['{x}'], value: 'a-b', received: ['a-b'] },
  { what: 'a value that the author has put behind a name', args: ['--name={x}'], value: '-a', received: ['--name=-a'] },
  { what: 'a value behind the hyphens that end options', args: ['--', '{x}'], value: '-a', received: ['--', '-a'] },
  {
    what: 'a value behind what ends the options of git',
    args: ['--end-of-options', '{x}'],
    value: '-a',
    received: ['--end-of-options', '-a'],
  },
  { what: 'hyphens of a group that is passed', args: [['--'], '{x}'], value: '-a', received: ['--', '-a'] },
  { what: 'a number', args: ['{x}'], x: { type: 'number' }, value: -1.5, received: ['-1.5'] },
  { what: 'integers of a list', args: ['{x}'], x: { type: 'array', items: { type: 'integer' } }, value: [-1, 2], received: ['-1', '2'] },
  { what: 'a value of an enum', args: ['{x}'], x: { type: 'string', enum: ['-a', '-b'] }, value: '-a', received: ['-a'] },
  {
    what: 'items of an enum',
    args: ['{x}'],
    x: { type: 'array', items: { type: 'string', enum: ['-a', '-b'] } },
    value: ['-b', '-a'],
    received: ['-b', '-a'],
  },
  { what: 'the default', args: ['{x}'], x: { type: 'string', default: '-a' }, value: undefined, received: ['-a'] },
  { what: 'a value where options are meant', args: ['{x}'], x: { type: 'string', options: true }, value: '-a', received: ['-a'] },
  { what: 'a list where options are meant', args: ['{x}'], x: { ...list, options: true }, value: ['-a', '--b'], received: ['-a', '--b'] },
];

describe('arguments that begin with a value of the caller', () => {
  for (const { what, args, x = { type: 'string' }, value, received, place = 'x' } of rows)
    it(`are ${received === undefined ? 'refused' : 'passed'}: ${what}`, async () => {
      const text = { type: 'string' };
      const parameters = { x, empty: text, first: text, absent: text };
      const execution = { args: ['print.mjs', ...args], parse: 'json' };
      const { kernel } = await commandKernel({ execution, parameters, files: printArguments });
      const call = kernel.execute('run', { ...(value === undefined ? {} : { x: value }), empty: '', first: '--' });
      if (received !== undefined) {
        expect(await call).to.deep.equal(received);
        return;
      }
      const error = await rejection(call, 'INVALID_PARAMETERS');
      expect(error.message).to.match(/would be an option of ".*\. For a file write "\.\/" before its name\. .*"options: true"/);
      expect((error.details.issues ?? []).map(({ path }) => path)).to.deep.equal([place]);
    });

  it('may begin with a credential, which the operator has given', async () => {
    const execution = { args: ['print.mjs', '{API_TOKEN}'], parse: 'json' };
    const { kernel } = await commandKernel({ execution, files: printArguments });
    const output = await kernel.execute('run', {}, { credentials: { API_TOKEN: '-planted-0123456789' } });
    expect(output).to.deep.equal(['[secret API_TOKEN]']);
  });
});

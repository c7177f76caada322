import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { commandKernel, printArguments } from './command-kernel.ts';

const parameters = {
  text: { type: 'string' },
  list: { type: 'array', items: {} },
  count: { type: 'number' },
  flag: { type: 'boolean' },
  object: { type: 'object', additionalProperties: true },
};

describe('the arguments of a command tool', () => {
  const cases: { name: string; args: (string | string[])[]; given: Record<string, unknown>; received: string[] }[] = [
    { name: 'are what the definition says', args: ['-a', '--b=c', ''], given: {}, received: ['-a', '--b=c', ''] },
    { name: 'take a value as one argument', args: ['{text}'], given: { text: 'a b' }, received: ['a b'] },
    { name: 'take a value inside a longer text', args: ['--x={text}!'], given: { text: 'a b' }, received: ['--x=a b!'] },
    { name: 'expand a list', args: ['{list}', 'end'], given: { list: ['a', 'b c', ''] }, received: ['a', 'b c', '', 'end'] },
    { name: 'expand an empty list to nothing', args: ['{list}', 'end'], given: { list: [] }, received: ['end'] },
    { name: 'expand a list inside a group', args: [['--files', '{list}']], given: { list: ['a', 'b'] }, received: ['--files', 'a', 'b'] },
    { name: 'write a list inside a longer text as JSON', args: ['--x={list}'], given: { list: ['a', 1] }, received: ['--x=["a",1]'] },
    {
      name: 'write numbers, booleans and objects as JSON',
      args: ['{count}', '{flag}', '{object}', '{list}'],
      given: { count: 1.5, flag: false, object: { a: [1] }, list: [2, true, { b: null }] },
      received: ['1.5', 'false', '{"a":[1]}', '2', 'true', '{"b":null}'],
    },
    { name: 'drop a group whose placeholder was not given', args: ['a', ['--x', '{text}'], 'b'], given: {}, received: ['a', 'b'] },
    { name: 'drop a group when one of two was not given', args: [['{text}', '{count}'], 'b'], given: { text: 't' }, received: ['b'] },
    { name: 'drop a group whose value is null', args: [['--x', '{text}']], given: { text: null }, received: [] },
    { name: 'keep a group whose values were given', args: [['--x', '{text}']], given: { text: '' }, received: ['--x', ''] },
    { name: 'drop a single argument that was not given', args: ['{text}', '--n={count}', 'b'], given: {}, received: ['b'] },
    { name: 'write doubled braces as literal ones', args: ['{{text}}', '{"a":1}'], given: { text: 'x' }, received: ['{text}', '{"a":1}'] },
    { name: 'do not fill in placeholders of a value', args: ['{text}'], given: { text: '{count}', count: 1 }, received: ['{count}'] },
  ];
  for (const { name, args, given, received } of cases) {
    it(name, async () => {
      const { kernel } = await commandKernel({
        execution: { args: ['print.mjs', ...args], parse: 'json' },
        parameters,
        files: printArguments,
      });
      expect(await kernel.execute('run', given)).to.deep.equal(received);
    });
  }

  const shellTexts = [
    '; rm -rf .',
    '$(touch marker)',
    '`touch marker`',
    '&& touch marker',
    '| tee marker',
    '> marker',
    '"quoted" \'twice\'',
    '$HOME',
    '*',
    '~',
    'line\nbreak',
    'back\\slash',
    '%PATH%',
    'ä€😀',
  ];
  for (const text of shellTexts) {
    it(`reach the program as they are: ${JSON.stringify(text)}`, async () => {
      const { kernel, folder } = await commandKernel({
        execution: { args: ['print.mjs', '{text}', 'x{text}', '{list}'], parse: 'json' },
        parameters,
        files: printArguments,
      });
      expect(await kernel.execute('run', { text, list: [text] })).to.deep.equal([text, `x${text}`, text]);
      expect(await readdir(folder)).to.have.members(['print.mjs', 'run.yaml']);
    });
  }

  const nullBytes: { place: string; execution: Record<string, unknown>; given: Record<string, unknown>; blamed: string }[] = [
    { place: 'an argument', execution: { args: ['{text}'] }, given: { text: 'a\0b' }, blamed: 'Parameter "text"' },
    { place: 'a longer argument', execution: { args: ['{count}{text}'] }, given: { text: '\0', count: 1 }, blamed: 'Parameter "text"' },
    { place: 'an element of a list', execution: { args: ['{list}'] }, given: { list: ['a', '\0'] }, blamed: 'Parameter "list"' },
    { place: 'a group', execution: { args: [['-x', '{text}']] }, given: { text: '\0' }, blamed: 'Parameter "text"' },
    { place: 'the environment', execution: { env: { X: '{text}' } }, given: { text: 'a\0b' }, blamed: 'environment variable' },
    { place: 'the working directory', execution: { cwd: '{text}' }, given: { text: 'a\0b' }, blamed: 'working directory' },
  ];
  for (const { place, execution, given, blamed } of nullBytes) {
    it(`refuse a null byte in ${place}`, async () => {
      const { kernel } = await commandKernel({ execution, parameters });
      const error = await rejection(kernel.execute('run', given), 'INVALID_PARAMETERS');
      expect(error.message).to.include(blamed).and.to.include('null byte');
    });
  }
});

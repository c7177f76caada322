import path from 'node:path';
import { expect } from 'chai';
import { formatProblem } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { kernelOf } from './command-kernel.ts';

/** The lines of `execution` begin at line 6. */
function definition(...execution: string[]): string {
  const start = ['name: run', 'description: Runs a program.', 'parameters:', '  text: { type: string }', 'execution:', '  type: command'];
  return [...start, ...execution.map((line) => `  ${line}`)].join('\n');
}

describe('the definition of a command tool', () => {
  const refused = [
    {
      name: 'a placeholder as the command',
      lines: ['command: "{text}"'],
      place: '7:3 execution.command',
      says: 'must not contain a placeholder',
    },
    {
      name: 'a placeholder inside the command',
      lines: ['command: bin/{text}'],
      place: '7:3 execution.command',
      says: 'received "bin/{text}"',
    },
    { name: 'a command that is missing', lines: ['args: []'], place: '5:1 execution.command', says: 'is required' },
    { name: 'an empty command', lines: ["command: ''"], place: '7:3 execution.command', says: 'expected' },
    {
      name: 'a parse module that is missing',
      lines: ['command: node', 'parse: ./gone.js#parse'],
      place: '8:3 execution.parse',
      says: 'expected a module that exists, received "./gone.js#parse"',
    },
    { name: 'a way of parsing that is not known', lines: ['command: node', 'parse: csv'], place: '8:3 execution.parse', says: 'expected' },
    {
      name: 'an argument that no parameter defines',
      lines: ['command: node', 'args: ["{txet}"]'],
      place: '5:1 execution',
      says: 'uses the placeholder {txet}',
    },
    {
      name: 'a group in a group',
      lines: ['command: node', 'args: [[["a"]]]'],
      place: '8:11 execution.args[0][0]',
      says: 'expected string',
    },
    {
      name: 'an exit code over 255',
      lines: ['command: node', 'success_codes: [0, 256]'],
      place: '8:22 execution.success_codes[1]',
      says: '255',
    },
    {
      name: 'a key that resembles a known one',
      lines: ['command: node', 'arg: [a]'],
      place: '8:3 execution.arg',
      says: 'Did you mean "args"?',
    },
  ];
  for (const { name, lines, place, says } of refused) {
    it(`is refused with file and line for ${name}`, async () => {
      const folder = await temporaryFolder({ 'run.yaml': definition(...lines) });
      const kernel = await kernelOf(folder);
      const { problems } = kernel.registry;
      expect(problems.every(({ severity, code, tool }) => severity === 'error' && code === 'TOOL_INVALID' && tool === 'run')).to.equal(
        true,
      );
      const found = problems.map(formatProblem).find((text) => text.startsWith(`${path.join(folder, 'run.yaml')}:${place}: `));
      expect(found, problems.map(formatProblem).join('\n')).to.include(says);
      await rejection(kernel.execute('run'), 'TOOL_INVALID');
    });
  }

  it('is accepted with a parse module in TypeScript of which only the compiled file is there', async () => {
    const folder = await temporaryFolder({
      'run.yaml': definition('command: echo', 'parse: ./parse.ts#size'),
      'parse.js': 'export const size = (text) => text.length;',
    });
    const kernel = await kernelOf(folder);
    expect(kernel.registry.problems).to.deep.equal([]);
    expect(await kernel.execute('run')).to.equal(1);
  });
});

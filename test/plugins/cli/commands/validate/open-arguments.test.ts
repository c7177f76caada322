import { expect } from 'chai';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { validated } from './validated.ts';

const tool = (args: readonly unknown[], x: object): string =>
  JSON.stringify({
    name: 'say',
    description: 'Prints a text as it is, for trying things out.',
    parameters: { x: { description: 'What to print.', ...x } },
    execution: { type: 'command', command: 'echo', args },
    output_schema: { type: 'string' },
    examples: [{ parameters: {} }],
  });

interface Row {
  readonly what: string;
  readonly args: readonly unknown[];
  readonly x?: object;
  readonly isTold: boolean;
}

const rows: readonly Row[] = [
  { what: 'a text', args: ['{x}'], isTold: true },
  { what: 'the beginning of an argument', args: ['{x}.txt'], isTold: true },
  { what: 'a list in a group', args: [['-f', '{x}']], x: { type: 'array', items: { type: 'string' } }, isTold: true },
  { what: 'a text before the hyphens that end options', args: ['{x}', '--'], isTold: true },
  { what: 'a text behind the hyphens that end options', args: ['--', '{x}'], isTold: false },
  { what: 'a text behind a name', args: ['--x={x}'], isTold: false },
  { what: 'a number', args: ['{x}'], x: { type: 'integer' }, isTold: false },
  { what: 'one of a few', args: ['{x}'], x: { type: 'string', enum: ['-a', 'b'] }, isTold: false },
  { what: 'what may be options', args: ['{x}'], x: { type: 'string', options: true }, isTold: false },
  { what: 'a path', args: ['{x}'], x: { type: 'string', path: 'read' }, isTold: false },
];

describe('arguments of a command that begin with a value of the caller', () => {
  for (const { what, args, x = { type: 'string' }, isTold } of rows)
    it(`are ${isTold ? '' : 'not '}told to the author of a definition: ${what}`, async () => {
      const cwd = await temporaryFolder({ 'tools/say.yaml': tool(args, x) });
      const report = await validated(cwd, { paths: ['tools'] });
      expect(/warning: execution\.args\.0\S* begins with \{x\}: .*"options: true"/.test(report), report).to.equal(isTold);
    });
});

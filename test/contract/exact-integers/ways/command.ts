import type { CommandInvocation, Tool } from '../../../../kernel/index.ts';
import { callParameters } from '../../../../plugins/cli/commands/run/call-parameters.ts';
import { executorCommand } from '../../../../plugins/executor-command/index.ts';
import { createTestKit } from '../../../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../../../plugins/validate-output/index.ts';
import type { Way } from '../way.ts';

const integer = { type: 'integer' };

/** Prints what it is given: its arguments, a variable of its environment and its input, as one member of JSON each. */
const script = `
  const input = require('node:fs').readFileSync(0, 'utf8');
  process.stdout.write('{"all":[' + [...process.argv.slice(1), process.env.ID, input].map((text) => JSON.stringify(text)).join(',') + '],"id":' + input + '}');
`;

const tool = {
  name: 'thing',
  description: 'A thing.',
  risk: 'low',
  parameters: { id: { ...integer, required: true }, more: { type: 'object', properties: { n: { type: 'array', items: integer } } } },
  execution: {
    type: 'command',
    command: process.execPath,
    args: ['-e', script, '--', '{id}', 'id={id}', '{more}'],
    env: { ID: '{id}' },
    stdin: '{id}',
    parse: 'json',
  },
  output_schema: { type: 'object', properties: { id: integer }, required: ['id'] },
};

/** The digits in all that the program got, and in what it printed. */
function digitsIn(output: unknown): string {
  const { all, id } = output as { readonly all: readonly string[]; readonly id: unknown };
  const [first = '', second = '', json = '', ...rest] = all;
  const found = [first, second.replace('id=', ''), /^\{"n":\[(-?\d+)\]\}$/.exec(json)?.[1] ?? json, ...rest, String(id)];
  return [...new Set(found)].join(' and ');
}

async function start() {
  const { kernel } = await createTestKit({ plugins: [executorCommand(), validateOutput()], tools: [tool] });
  const known = kernel.registry.tools.get('thing') as Tool;
  return { kernel, known, stop: () => kernel.close() };
}

/** Returns the parameters that `toolkit run thing` reads from these words. */
function parametersOf(known: Tool, words: readonly string[], flags: CommandInvocation['flags']): ReturnType<typeof callParameters> {
  return callParameters(known, { arguments: ['thing', ...words], flags, terminal: {} as CommandInvocation['terminal'] });
}

export const ways: readonly Way[] = [
  {
    name: 'through a program: arguments, environment, input and the JSON that it prints',
    async start() {
      const { kernel, stop } = await start();
      const carry = async (digits: string): Promise<string> =>
        digitsIn(await kernel.execute('thing', { id: BigInt(digits), more: { n: [BigInt(digits)] } }));
      return { carry, stop };
    },
  },
  {
    name: 'on the command line',
    async start() {
      const { known, stop } = await start();
      return {
        async carry(digits) {
          const byName = await parametersOf(known, [`--id=${digits}`], { param: [`more={"n":[${digits}]}`] });
          const whole = await parametersOf(known, [], { params: `{"id":${digits},"more":{"n":[${digits}]}}` });
          const found = [byName, whole].flatMap(({ id, more }) => [id, (more as { readonly n: readonly unknown[] }).n[0]]);
          return [...new Set(found.map(String))].join(' and ');
        },
        stop,
      };
    },
  },
];

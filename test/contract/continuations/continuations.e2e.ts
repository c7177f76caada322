import { expect } from 'chai';
import { apiVersion, checkValue, definePlugin, type Kernel, type Tool } from '../../../kernel/index.ts';
import type { Continuation } from '../../../plugins/output-budget/continues.ts';
import { outputBudget } from '../../../plugins/output-budget/index.ts';
import { withCompanions } from '../../../plugins/shared/exposure/companions.ts';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { handlerTool } from '../../plugins/mcp/support/client.ts';
import { afterFile } from '../../support/after-each.ts';
import { foldersForFile, temporaryFolder } from '../../support/temporary.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { continuingMembers } from './continuing-members.ts';
import { answerIn, type Call, type Followed, follow } from './follow.ts';
import { type Input, inputs, writeInputs } from './inputs.ts';
import { knownOutputs, LongOutput } from './outputs.ts';
import { ways } from './ways.ts';

/** Small, so that small inputs are over it. */
const maxCharacters = 4000;

/** Outputs in place of those of the tools, by name; tools that are not here run themselves. */
const answers = new Map<string, unknown>();

const answering = definePlugin({
  name: 'answering',
  apiVersion,
  apply: ({ hooks }) =>
    hooks.execute
      .for('*')
      .tap({ name: 'answering', stage: -2000 }, ({ tool }) => (answers.has(tool.name) ? { output: answers.get(tool.name) } : undefined)),
});

const folder = await foldersForFile(() => temporaryFolder());
await writeInputs(folder);
const toolkit = await Toolkit.init({
  autoDiscover: true,
  logger: memoryLogger(),
  roots: [folder],
  plugins: [outputBudget({ maxCharacters }), answering()],
});
afterFile(() => toolkit.close());
const { kernel } = toolkit;

const continuationsOf = ({ definition }: Pick<Tool, 'definition'>): readonly Continuation[] =>
  [(definition as { readonly continues?: Continuation | readonly Continuation[] }).continues ?? []].flat();

/** Tools with a member that says that there is more, and no word of how they go on. */
const undeclared = (tools: Iterable<Tool>): readonly string[] =>
  [...tools]
    .filter((tool) => continuingMembers(tool.outputSchema).length > 0 && continuationsOf(tool).length === 0)
    .map(({ name }) => name);

const sorted = (value: unknown): string => JSON.stringify(value);

async function compared(call: Call, { tool, parameters, wholeOf, expected }: Input): Promise<readonly Followed[]> {
  const { _toolkit_approved: _, ...own } = parameters;
  const { output } = await kernel.call({ tool, parameters: own });
  const host = [{ tool, parameters: own, output }];
  const whole = expected ?? wholeOf([output as never], host);
  const followed = await follow(call, tool, parameters);
  const same = followed.filter((one) => one.tool === tool).map((one) => one.output as never);
  expect(sorted(wholeOf(same, followed)) === sorted(whole), `${tool}: ${sorted(wholeOf(same, followed)).slice(0, 300)}`).to.equal(true);
  return followed;
}

describe('a tool whose output may end before the whole', () => {
  it('declares how it goes on, whichever tool it is', () => {
    expect(undeclared(withCompanions(kernel.registry))).to.deep.equal([]);
  });

  it('is one with pages of a service, whatever their members are called', () => {
    const paged = [...kernel.registry.tools.values()].filter(({ definition }) => Object.hasOwn(definition, 'paginate'));
    expect(paged.length).to.be.above(30);
    for (const tool of paged) expect(continuationsOf(tool), tool.name).to.deep.equal([{ by: 'output' }]);
  });

  it('is found by its members', async () => {
    const tool = (name: string, output_schema: object, more: object = {}): object =>
      handlerTool(() => ({}), { name, output_schema, ...more });
    const { registry } = await testKernel({
      plugins: [outputBudget()],
      tools: [
        tool('plain', { type: 'object', properties: { moreover: {}, total: {} } }),
        tool('flag', { type: 'object', properties: { truncated: { type: 'boolean' } } }),
        tool('inside', { type: 'object', properties: { files: { items: { properties: { next_offset: {} } } } } }),
        tool('branch', { type: 'object', oneOf: [{ properties: { nextPageToken: {} } }] }),
        tool('shared', {
          type: 'object',
          properties: { page: { $ref: '#/$defs/page' } },
          $defs: { page: { properties: { has_more: {} } } },
        }),
        tool(
          'declared',
          { type: 'object', properties: { truncated: { type: 'boolean' } } },
          { continues: { by: 'output', when: 'truncated' } },
        ),
      ],
    });
    expect(undeclared(registry.tools.values())).to.deep.equal(['branch', 'flag', 'inside', 'shared']);
  });

  it('has an input here, where it stops by itself', () => {
    const stopping = withCompanions(kernel.registry).filter((tool) => continuationsOf(tool).some(({ by }) => by === 'offset'));
    const withInput = new Set([...inputs.map(({ tool }) => tool), 'toolkit_get_output']);
    expect(stopping.map(({ name }) => name).filter((name) => !withInput.has(name))).to.deep.equal([]);
  });
});

describe('following the words of an answer until none says that more follows', () => {
  for (const input of inputs)
    it(`gives the whole once: ${input.title} of ${input.tool}`, async () => {
      const call = await (ways[0] as (typeof ways)[number]).open(kernel);
      const first = answerIn(await call(input.tool, input.parameters));
      expect(first.note).to.match(/Go on with/);
      const followed = await compared(call, input);
      const stops = continuationsOf(kernel.registry.get(input.tool)).some(({ by }) => by === 'offset');
      if (stops) expect(followed.length).to.be.above(1);
    });

  for (const way of ways.slice(1))
    for (const input of inputs.filter(({ title }) =>
      ['a text', 'files', 'what a program prints', 'rows of which one is longer than an answer'].includes(title),
    ))
      it(`gives the whole once through ${way.name}: ${input.title} of ${input.tool}`, async () => {
        await compared(await way.open(kernel), input);
      });
});

describe('an output that must not be asked for again', () => {
  const tools = [...kernel.registry.tools.values()].filter((tool) => continuationsOf(tool).some(({ by }) => by === 'output'));
  for (const tool of tools)
    it(`of ${tool.name} is read on where it was cut, its own cursor as it was, and its flag says so`, async () => {
      const { name, outputSchema = {}, definition, credentials } = tool;
      const madeUp = new LongOutput(outputSchema, (schema, value) => checkValue(schema, value).length === 0);
      const output = (knownOutputs[name] ?? madeUp.value) as Record<string, unknown>;
      expect(checkValue(outputSchema, output)).to.deep.equal([]);
      expect(JSON.stringify(output).length).to.be.above(maxCharacters);
      answers.set(name, output);
      const [example] = definition.examples ?? [];
      const call: Call = async (called, parameters) => {
        const given = { tool: called, parameters, origin: 'model', approved: true } as const;
        const secrets = Object.fromEntries(credentials.map((one) => [one.name, 'value of a secret']));
        const { content = [], output: all } = await kernel.call(called === name ? { ...given, credentials: () => secrets } : given);
        const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []));
        return texts.length === 0 ? JSON.stringify(all) : texts.join('\n\n');
      };
      try {
        const parameters = (example?.parameters ?? {}) as Record<string, unknown>;
        const shown = answerIn(await call(name, parameters));
        const flags = continuationsOf(tool).flatMap(({ when }) => when ?? []);
        expect(shown.note?.includes('Do so before you follow a cursor')).to.equal(flags.length === 0);
        for (const flag of flags) expect(shown.output).to.have.property(flag, true);
        const [followed] = await follow(call, name, parameters);
        const whole = { ...output, ...Object.fromEntries(flags.map((flag) => [flag, true])) };
        expect(followed?.output).to.deep.equal(whole);
      } finally {
        answers.delete(name);
      }
    });
});

describe('a tool that lies about how it goes on', () => {
  const whole = Array.from({ length: 500 }, (_, index) => `item ${index}`);
  const schema = {
    type: 'object',
    properties: { items: { type: 'array' }, truncated: { type: 'boolean' }, next_offset: { type: 'integer' } },
  };
  const lies: readonly (readonly [title: string, next: (offset: number, end: number) => number | undefined, end: number])[] = [
    ['skips what it did not send', (_, end) => end + 5, 100],
    ['sends something twice', (_, end) => end - 5, 100],
    ['says that nothing follows', () => undefined, 100],
    ['begins at the start again', () => 0, 100],
  ];
  const lying = async (next: (offset: number, end: number) => number | undefined, size: number): Promise<Kernel> => {
    const run = ({ offset = 0 }: { offset?: number }): object => {
      const items = whole.slice(offset, offset + size);
      const following = offset + size >= whole.length ? undefined : next(offset, offset + size);
      return { items, truncated: following !== undefined, ...(following === undefined ? {} : { next_offset: following }) };
    };
    const definition = {
      output_schema: schema,
      parameters: { offset: { type: 'integer' } },
      continues: { by: 'offset', when: 'truncated', parameter: 'offset', from: 'next_offset' },
    };
    return testKernel({ plugins: [outputBudget({ maxCharacters })], tools: [handlerTool(run as never, definition)] });
  };
  const read = async (lyingKernel: Kernel): Promise<readonly unknown[]> => {
    const call = await (ways[0] as (typeof ways)[number]).open(lyingKernel);
    return (await follow(call, 'it', {})).flatMap(({ output }) => (output as { items: unknown[] }).items);
  };

  it('is none where it says the truth', async () => {
    expect(await read(await lying((_, end) => end, 100))).to.deep.equal(whole);
  });

  for (const [title, next, size] of lies)
    it(`is found: it ${title}`, async () => {
      const given = await read(await lying(next, size)).catch((error: Error) => error.message);
      expect(JSON.stringify(given)).to.not.equal(JSON.stringify(whole));
    });

  it('is corrected where it gives more than there is room for: the rest is read before its offset is followed', async () => {
    expect(await read(await lying((_, end) => end, 400))).to.deep.equal(whole);
  });
});

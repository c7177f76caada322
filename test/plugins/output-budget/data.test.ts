import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { apiVersion, type CallEnd, type ContentPart, type CutOutput, definePlugin } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { callReadTool } from '../../../plugins/shared/exposure/call-read-tool.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Connected, connect, failure, source } from '../mcp/support/client.ts';
import { type BudgetedOptions, budgeted, getOutput, lines, readAll, readWhole, secret, shownBy } from './budgeted.ts';
import { missing } from './missing.ts';

const image: ContentPart = { type: 'image', data: 'QUJD', mimeType: 'image/png' };
const output_schema = {
  type: 'object',
  properties: { text: { type: 'string' }, total: { type: 'integer' } },
  required: ['text', 'total'],
  additionalProperties: false,
};
const report = { text: lines, total: lines.length };
const withImage = ({ withContent }: FunctionContext): unknown => withContent(report, [image]);

interface Cut {
  readonly pointers: readonly string[];
  readonly morePointers?: number;
  readonly uri?: string;
}

const cutOf = ({ _meta }: CallToolResult): Cut => _meta?.['toolkit/cut'] as Cut;

/** Returns the structured data of a result. Fails when it is longer than that as JSON, or when the named paths are not those where data is missing. */
function dataOf(result: CallToolResult, whole: unknown, characters = 2000): Readonly<Record<string, unknown>> {
  const { structuredContent } = result;
  expect(JSON.stringify(structuredContent).length).to.be.at.most(characters);
  expect([...cutOf(result).pointers].sort()).to.deep.equal(missing(whole, structuredContent).sort());
  return structuredContent as Record<string, unknown>;
}

/** The JSON that was kept of a result. */
const wholeOf = async (result: CallToolResult, mcp: Connected): Promise<unknown> =>
  JSON.parse(await readWhole(String(cutOf(result).uri), mcp));

describe('output-budget: data that are too long', () => {
  it('are cut to the budget, beside a text that is cut as well, with the link to the whole in both', async () => {
    const { call, mcp } = await budgeted({ run: () => report, definition: { output_schema } });
    const result = await call();
    expect(dataOf(result, report)['total']).to.equal(report.total);
    expect(cutOf(result).pointers).to.deep.equal(['/text']);
    expect(cutOf(result).uri).to.equal(shownBy(result).uri);
    expect(await wholeOf(result, mcp)).to.deep.equal(report);
  });

  it('are whole for host code, in the output that a model gets a part of, and in the trail', async () => {
    const ends: CallEnd[] = [];
    const trail = definePlugin({
      name: 'trail',
      apiVersion,
      apply: ({ hooks }) => hooks.settled.tap('trail', (end) => void ends.push(end)),
    });
    const { kernel } = await budgeted({ run: () => report, definition: { output_schema }, plugins: [trail()] });
    expect(await kernel.call({ tool: 'it' }))
      .to.deep.include({ output: report, meta: {} })
      .and.not.have.property('structured');
    const { output, structured } = await kernel.call({ tool: 'it', origin: 'model' });
    expect(output).to.deep.equal(report);
    expect(structured?.pointers).to.deep.equal(['/text']);
    for (const { outcome } of ends) expect(outcome).to.have.nested.property('result.output.text', lines);
  });

  it('are cut beside parts to show, with a note in front and a link behind these', async () => {
    const { call, mcp } = await budgeted({ run: withImage, definition: { output_schema } });
    const result = await call();
    dataOf(result, report);
    const { uri } = cutOf(result);
    const { length } = JSON.stringify(report);
    expect(result.content).to.deep.equal([
      {
        type: 'text',
        text: `The output of "it" has ${length} characters, cut at /text; this is page 1 of 21, kept for 15 min. Go on with ${getOutput(uri, 2)}.`,
      },
      image,
      { type: 'resource_link', uri, name: 'it output', description: 'The whole output, in 21 pages.', mimeType: 'text/plain' },
    ]);
    expect(await wholeOf(result, mcp)).to.deep.equal(report);
  });

  it('are in the pages behind the text that is shown, where both are too long', async () => {
    const run: BudgetedOptions['run'] = ({ withContent }) => withContent(report, [{ type: 'text', text: 'shown '.repeat(500) }, image]);
    const { call, mcp } = await budgeted({ run, definition: { output_schema } });
    const result = await call();
    dataOf(result, report);
    expect(result.content.at(-1)).to.deep.equal(image);
    const { text } = result.structuredContent as { text: string };
    const rest = await readAll(shownBy(result).uri, mcp);
    expect(rest.join('').startsWith('shown '.repeat(500))).to.equal(true);
    const data = rest.join('').slice(3000).replace(/^\n\n/, '');
    expect(text + data.replaceAll(/\/text from \d+:\n/g, '')).to.equal(lines);
    expect(await wholeOf(result, mcp)).to.deep.equal(report);
  });

  it('leave room for the sentence about them beside a text that nearly fills the budget', async () => {
    const run: BudgetedOptions['run'] = ({ withContent }) => withContent(report, [{ type: 'text', text: 't'.repeat(1900) }]);
    const { call } = await budgeted({ run, definition: { output_schema } });
    const { content } = await call();
    expect(content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)).to.be.at.most(2000);
  });

  it('that are not kept are cut without a link, which is said', async () => {
    const { call } = await budgeted({ run: withImage, definition: { output_schema }, options: { maxBytes: 10_000 } });
    const result = await call();
    dataOf(result, report);
    expect(cutOf(result)).to.not.have.property('uri');
    expect(result.content).to.have.length(2);
    expect(JSON.stringify(result.content)).to.include('was not kept, because it takes more than 10000 bytes. Ask for less.');
  });

  it('name the first places where they are many', async () => {
    const list = Array.from({ length: 400 }, () => ({ text: 'x'.repeat(30) }));
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', minItems: 100, items: { type: 'object', required: ['text'] } } },
    };
    const { call } = await budgeted({ run: () => ({ list }), definition: { output_schema: schema } });
    const { pointers, morePointers } = cutOf(await call());
    expect(pointers).to.have.length(50);
    expect(pointers.slice(0, 2)).to.deep.equal(['/list', '/list/0/text']);
    expect(morePointers).to.equal(51);
  });

  const untouched: readonly { title: string; run: BudgetedOptions['run']; schema?: Readonly<Record<string, unknown>>; data: unknown }[] = [
    {
      title: 'of exactly as many characters',
      run: () => ({ text: 'x'.repeat(1979), total: 1 }),
      data: { text: 'x'.repeat(1979), total: 1 },
    },
    { title: 'of a tool without output_schema', run: () => ({ text: lines }), schema: {}, data: undefined },
    { title: 'of a tool whose output is a list', run: () => [lines], schema: { output_schema: { type: 'array' } }, data: undefined },
    { title: 'of a tool whose output is a text', run: () => lines, schema: { output_schema: { type: 'string' } }, data: undefined },
  ];
  for (const { title, run, schema = { output_schema }, data } of untouched)
    it(`are not those ${title}`, async () => {
      const { call } = await budgeted({ run, definition: schema });
      const { structuredContent, _meta } = await call();
      expect(structuredContent).to.deep.equal(data);
      expect(_meta).to.equal(undefined);
    });

  for (const before of [1480, 1640, 1650, 1660, 1670, 1700])
    it(`show no half of a secret that begins at ${before}`, async () => {
      const { call } = await budgeted({
        run: ({ secrets }) => ({ text: `${'x'.repeat(before)}${secrets['SHOP_TOKEN']}${'y'.repeat(4000)}`, total: 1 }),
        definition: { output_schema },
      });
      const shown = JSON.stringify(await call());
      for (let length = 5; length <= secret.length; length++) expect(shown).to.not.include(secret.slice(0, length));
    });
});

describe('what a tool gives in place of long data', () => {
  it('is masked and sent, with what is missing', async () => {
    const structured = ({ secrets }: FunctionContext): CutOutput => ({
      output: { text: secrets['SHOP_TOKEN'] ?? '' },
      pointers: ['/text'],
      uri: 'it://1',
    });
    const { call } = await budgeted({
      run: (context) => context.withContent({ text: 'all of it' }, [image], structured(context)),
      definition: { output_schema: { type: 'object' } },
    });
    expect(await call()).to.deep.equal({
      content: [image],
      structuredContent: { text: '[secret SHOP_TOKEN]' },
      _meta: { 'toolkit/cut': { pointers: ['/text'], uri: 'it://1' } },
    });
  });

  it('must be JSON', async () => {
    const structured = { output: { text: 1n }, pointers: [] } as unknown as CutOutput;
    const { call } = await budgeted({ run: ({ withContent }) => withContent({}, [image], structured) });
    failure(await call(), 'OUTPUT_INVALID');
  });
});

describe('output-budget: data of which no part fits', () => {
  const definition = { output_schema: { type: 'object', properties: { text: { type: 'string', minLength: 20_000 } } } };

  it('fail with OUTPUT_TOO_LARGE, which says where the whole is', async () => {
    const { call, mcp } = await budgeted({
      run: () => ({ text: lines }),
      definition: { output_schema: { ...definition.output_schema, required: ['text'] } },
    });
    const result = await call();
    const { uri, message } = failure(result, 'OUTPUT_TOO_LARGE');
    const { length } = JSON.stringify({ text: lines });
    const limit = '"it" has run, but no part of its output that fits its output_schema has at most 1500 characters';
    expect(message).to.equal(
      `${limit}. The output of "it" has ${length} characters; in 22 pages, kept for 15 min. Go on with ${getOutput(uri, 1)}. It was carried out; do not call it again.`,
    );
    expect(result).to.not.have.property('structuredContent');
    expect(JSON.parse((await readAll(String(uri), mcp)).join(''))).to.deep.equal({ text: lines });
  });

  it('leave out what need not be there before they fail', async () => {
    const { call } = await budgeted({ run: () => ({ text: lines, more: 1 }), definition });
    expect(dataOf(await call(), { text: lines, more: 1 })).to.deep.equal({ more: 1 });
  });

  it('are answered as the tool answers failures, where it does', async () => {
    const { call } = await budgeted({
      run: () => ({ text: lines }),
      definition: {
        // One that may change something is told as done in place of that.
        risk: 'low',
        output_schema: {
          anyOf: [{ required: ['code'] }, { properties: { text: { minLength: 20_000 } }, required: ['text'] }],
          type: 'object',
        },
        failure_output: { code: '{code}', message: '{message}' },
      },
    });
    const { isError, structuredContent } = await call();
    expect(isError).to.equal(true);
    expect(structuredContent).to.include({ code: 'OUTPUT_TOO_LARGE' });
    expect(structuredContent?.['message']).to.match(/Go on with toolkit_get_output \{"id":"[0-9a-f-]{36}","page":1\}/);
  });
});

describe('output-budget: data of a tool that is called through another', () => {
  /** The result of `it`, called through toolkit_call_read_tool. */
  async function through(run: BudgetedOptions['run'], definition: Readonly<Record<string, unknown>> = { output_schema }) {
    const plugins = [source((sink) => void sink.addTool(callReadTool, { trust: 'package' }))];
    const { mcp, call } = await budgeted({ run, definition: { annotations: { readOnlyHint: true }, ...definition }, plugins });
    return { mcp, direct: await call(), result: await mcp.call('toolkit_call_read_tool', { name: 'it', arguments: {} }) };
  }

  it('are cut once, with the link of the called one', async () => {
    const { mcp, direct, result } = await through(() => report);
    expect(dataOf(result, { output: report })).to.deep.equal({ output: direct.structuredContent });
    expect(cutOf(result).pointers).to.deep.equal(['/output/text']);
    expect(cutOf(result).uri).to.equal(shownBy(result).uri);
    expect(await wholeOf(result, mcp)).to.deep.equal(report);
  });

  it('are cut where only what is around them is too much', async () => {
    const row = { text: 'x'.repeat(1979), total: 1 };
    const { mcp, direct, result } = await through(({ withContent }) => withContent(row, [image]));
    expect(direct.structuredContent).to.deep.equal(row);
    dataOf(result, { output: row });
    expect(result.content[1]).to.deep.equal(image);
    expect(await wholeOf(result, mcp)).to.deep.equal({ output: row });
  });

  it('say where the whole is, where no part fits', async () => {
    const text = { type: 'string', minLength: 20_000 };
    const { mcp, result } = await through(() => report, { output_schema: { type: 'object', properties: { text }, required: ['text'] } });
    const { uri } = failure(result, 'OUTPUT_TOO_LARGE');
    expect(JSON.parse((await readAll(String(uri), mcp)).join(''))).to.deep.equal(report);
  });

  it('are cut anew where what stands for them does not fit', async () => {
    const forged: CutOutput = { output: { text: 1 }, pointers: [] };
    const { call } = await budgeted({ run: ({ withContent }) => withContent(report, [image], forged), definition: { output_schema } });
    expect(dataOf(await call(), report)['total']).to.equal(report.total);
  });
});

describe('output-budget: a file of 364,000 characters', () => {
  it('is at most 60,000 characters of text and of data for a client that checks what it is sent', async () => {
    const text = 'One of 9,100 lines, of 40 characters ...\n'.slice(0, 40).repeat(9100);
    const root = await temporaryFolder({ 'long.txt': text });
    const { kernel } = await coreToolkit({ roots: [root] });
    const { client, call } = await connect(kernel);
    // The client holds data against the schemas that it was listed.
    expect((await client.listTools()).tools.find(({ name }) => name === 'fs_read_file')).to.have.property('outputSchema');
    for (const [name, parameters, within] of [
      ['fs_read_file', { path: 'long.txt' }, (data: unknown) => data],
      ['toolkit_call_tool', { name: 'fs_read_file', arguments: { path: 'long.txt' } }, (data: { output?: unknown }) => data.output],
    ] as const) {
      const result = await call(name, parameters);
      const { content, ...data } = within(result.structuredContent ?? {}) as { content: string };
      expect(JSON.stringify(result.structuredContent).length).to.be.within(58_000, 60_000);
      expect(text.startsWith(content)).to.equal(true);
      expect(data).to.deep.equal({ encoding: 'utf8', size: 364_000, truncated: true, next_offset: content.length });
      const shown = result.content.map((part) => (part.type === 'text' ? part.text.length : 0)).reduce((sum, length) => sum + length, 0);
      expect(shown).to.be.at.most(60_000);
      expect(result.content[0]).to.deep.equal({
        type: 'text',
        text: `More follows. Go on with fs_read_file again, with {"offset":${content.length}} and all else as before. Cheaper: fs_search finds the lines that matter.`,
      });
    }
    const whole = { content: text, encoding: 'utf8', size: 364_000, truncated: false };
    expect((await kernel.call({ tool: 'fs_read_file', parameters: { path: 'long.txt' } })).output).to.deep.equal(whole);
  });
});

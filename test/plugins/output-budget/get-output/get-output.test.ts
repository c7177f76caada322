import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { connect, failure, refusal } from '../../mcp/support/client.ts';
import { budgeted, lines, secret, shownBy } from '../budgeted.ts';

const idOf = (result: CallToolResult): string => shownBy(result).uri.slice('output://'.length, -2);

type Read = Readonly<Record<string, unknown>> & {
  readonly parts: readonly { readonly at: string; readonly from: number; readonly text: string }[];
  readonly matches: readonly { readonly line: number; readonly column: number; readonly text: string }[];
};

/** A kernel with a long output that was kept, and what reads it. */
async function kept(run: Parameters<typeof budgeted>[0]['run'], definition: Readonly<Record<string, unknown>> = {}) {
  const { call, mcp, kernel } = await budgeted({ run, definition });
  const id = idOf(await call());
  const get = async (parameters: object): Promise<Read> => {
    const result = await mcp.call('toolkit_get_output', { id, ...parameters });
    expect(result.isError, JSON.stringify(result.content)).to.equal(undefined);
    return result.structuredContent as Read;
  };
  return { id, get, mcp, kernel };
}

describe('toolkit_get_output', () => {
  it('gives pages that follow each other, of which the first is what was shown', async () => {
    const { get } = await kept(() => lines);
    const texts: string[] = [];
    for (let page: unknown = 1; page !== undefined; ) {
      const read = await get({ page });
      texts.push(...read.parts.map(({ text }) => text));
      page = read['next_page'];
    }
    expect(texts.join('') === lines).to.equal(true);
  });

  it('gives lines from one on, with the number of the next', async () => {
    const { get } = await kept(() => lines);
    const first = await get({ from_line: 101 });
    expect(first.parts[0]?.text.split('\n')[0]).to.equal('This is line 100 of the report.');
    const second = await get({ from_line: first['next_line'] });
    const both = `${first.parts[0]?.text}\n${second.parts[0]?.text}`;
    expect(lines.includes(both)).to.equal(true);
    expect(await get({ from_line: 700 })).to.deep.include({ truncated: false });
  });

  for (const [title, text] of [
    ['one long line', `${'word "x" '.repeat(900)}end`],
    [
      'long lines between short ones',
      Array.from({ length: 9 }, (_, index) => (index % 3 === 1 ? 'y😀'.repeat(1500) : `short ${index}`)).join('\n'),
    ],
  ] as const)
    it(`gives ${title} whole, by columns where one has no room`, async () => {
      const { get } = await kept(() => text);
      let all = '';
      for (let next: object | undefined = { from_line: 1 }; next !== undefined; ) {
        const read: Read = await get(next);
        all += read.parts.map((part) => part.text).join('\n');
        const { next_line: from_line, next_column: column, truncated } = read;
        next = truncated === true ? { from_line, ...(column === undefined ? {} : { column }) } : undefined;
        if (next !== undefined && column === undefined) all += '\n';
      }
      expect(all === text, `${all.length} of ${text.length}`).to.equal(true);
    });

  it('gives the lines that match a pattern, with their numbers', async () => {
    const { get } = await kept(() => lines);
    const { matches, ...rest } = await get({ pattern: 'line (7|69)0 ' });
    expect(rest).to.deep.equal({ tool: 'it', truncated: false });
    expect(matches).to.deep.equal([
      { at: '', line: 71, column: 1, text: 'This is line 70 of the report.' },
      { at: '', line: 691, column: 1, text: 'This is line 690 of the report.' },
    ]);
  });

  it('goes on with a search that finds more than there is room for', async () => {
    const { get } = await kept(() => lines);
    const found: number[] = [];
    for (let from_line: unknown = 1; from_line !== undefined; ) {
      const { matches, ...rest } = await get({ pattern: 'report', from_line });
      found.push(...matches.map(({ line }) => line));
      from_line = rest['next_line'];
    }
    expect(found).to.deep.equal(Array.from({ length: 700 }, (_, index) => index + 1));
  });

  it('shows of a long line what is around the match, and where that is', async () => {
    const { get } = await kept(() => `${'a'.repeat(5000)} needle ${'b'.repeat(5000)}`);
    const [match] = (await get({ pattern: 'needle' })).matches;
    expect(match?.text).to.include('needle').and.have.length(500);
    expect(match?.column).to.equal(4902);
  });

  it('says what a pattern is that is none', async () => {
    const { mcp, id } = await kept(() => `${'a'.repeat(5000)}b`, {});
    const result = await mcp.call('toolkit_get_output', { id, pattern: '(a+' });
    expect(failure(result, 'INVALID_PARAMETERS')['message']).to.include('expected one such as error|warn');
  });

  it('reads the text of data where it was cut, and the items that a list lacks as lines of JSON', async () => {
    const output_schema = { type: 'object', properties: { log: { type: 'string' }, items: { type: 'array' } } };
    const output = { log: lines, items: Array.from({ length: 300 }, (_, n) => ({ n })) };
    const { get } = await kept(() => output, { output_schema });
    expect((await get({ pattern: 'line 699' })).matches.map(({ text }) => text)).to.deep.equal(['This is line 699 of the report.']);
    expect((await get({ pattern: '^\\{"n":299\\}$' })).matches.map((match) => (match as { at?: string }).at)).to.deep.equal(['/items']);
  });

  it('reads nothing of another caller, nor what is not kept', async () => {
    const { id, kernel, mcp } = await kept(() => lines);
    const { call } = await connect(kernel, { caller: 'somebody else' });
    failure(await call('toolkit_get_output', { id }), 'NOT_FOUND');
    for (const other of ['x', '', '../1', '6f1e9b52-0000-4000-8000-000000000000'])
      failure(await mcp.call('toolkit_get_output', { id: other }), 'NOT_FOUND');
    failure(await mcp.call('toolkit_get_output', { id, page: 99 }), 'INVALID_PARAMETERS');
  });

  it('shows no secret on any way', async () => {
    const { get } = await kept(({ secrets }) => `${lines}\n${secrets['SHOP_TOKEN']}\n`);
    expect(JSON.stringify(await get({ from_line: 700 })))
      .to.include('[secret SHOP_TOKEN]')
      .and.not.include(secret);
    expect((await get({ pattern: 'value-of' })).matches).to.deep.equal([]);
  });

  const lists: readonly (readonly [title: string, options: Parameters<typeof connect>[1], isListed: boolean])[] = [
    ['with all tools', {}, true],
    ['with a filter that does not name it', { tools: ['it'] }, true],
    ['where it is left out by name', { excludeTools: ['toolkit_get_output'] }, false],
  ];
  for (const [title, options = {}, isListed] of lists)
    it(`is ${isListed ? '' : 'not '}listed ${title}, and named by notes where it is`, async () => {
      const { kernel } = await budgeted({ run: () => lines });
      const { client, call } = await connect(kernel, options);
      expect((await client.listTools()).tools.some(({ name }) => name === 'toolkit_get_output')).to.equal(isListed);
      const result = await call('it');
      const { uri, note } = shownBy(result);
      expect(note).to.include(
        isListed ? `Go on with toolkit_get_output {"id":"${idOf(result)}","page":2}` : `the resource ${uri.slice(0, -1)}2`,
      );
      if (!isListed) await refusal(call('toolkit_get_output', { id: idOf(result) }), -32602);
    });

  it('is not among the tools of the registry, which are counted', async () => {
    const { registry } = (await budgeted({ run: () => lines })).kernel;
    expect([...registry.tools.keys()]).to.deep.equal(['it']);
    expect([...registry.companions.keys()]).to.deep.equal(['toolkit_get_output']);
  });
});

import { expect } from 'chai';
import { apiVersion, type ContentPart, definePlugin } from '../../../kernel/index.ts';
import { type BudgetedOptions, budgeted, getOutput, lines, read, readAll, shownBy } from './budgeted.ts';

describe('output-budget: a result that is too long', () => {
  it('is shown as its first page, how long it is, and a link to the pages of the whole', async () => {
    const { call, mcp } = await budgeted({ run: () => lines });
    const result = await call();
    const { preview, note, uri } = shownBy(result);
    const [, id] = /^output:\/\/([0-9a-f-]{36})\/1$/.exec(uri) ?? [];
    expect(note).to.equal(
      `The output of "it" has ${lines.length} characters; this is page 1 of 21, kept for 15 min. Go on with ${getOutput(uri, 2)}.`,
    );
    expect(lines.startsWith(preview) && preview.endsWith('\n')).to.equal(true);
    expect(preview.length + note.length).to.be.within(1500, 2000);
    expect(result.content[2]).to.deep.equal({
      type: 'resource_link',
      uri,
      name: 'it output',
      description: 'The whole output, in 21 pages.',
      mimeType: 'text/plain',
    });
    const first = await read(uri, mcp);
    expect(first.text).to.equal(preview);
    expect(first.note).to.equal(`Page 1 of 21 of the output of "it". The next one is output://${id}/2`);
    expect((await read(`output://${id}/21`, mcp)).note).to.equal('Page 21 of 21 of the output of "it". It is the last one.');
  });

  const texts: readonly { title: string; run: BudgetedOptions['run']; whole: string }[] = [
    { title: 'lines', run: () => lines, whole: lines },
    { title: 'a single line', run: () => 'x'.repeat(9999), whole: 'x'.repeat(9999) },
    { title: 'characters of two halves', run: () => `a${'🔑'.repeat(3000)}`, whole: `a${'🔑'.repeat(3000)}` },
    {
      title: 'text parts',
      run: ({ withContent }) =>
        withContent(null, [
          { type: 'text', text: 'a'.repeat(1500) },
          { type: 'resource', resource: { uri: 'note://1', text: 'b'.repeat(1500) } },
        ]),
      whole: `${'a'.repeat(1500)}\n\nnote://1\n${'b'.repeat(1500)}`,
    },
  ];
  for (const { title, run, whole } of texts) {
    it(`is whole in its pages, which follow each other: ${title}`, async () => {
      const { call, mcp } = await budgeted({ run });
      expect((await readAll(shownBy(await call()).uri, mcp)).join('') === whole).to.equal(true);
    });
  }

  it('keeps the parts that are not text', async () => {
    const image: ContentPart = { type: 'image', data: 'QUJD', mimeType: 'image/png' };
    const link: ContentPart = { type: 'resource_link', uri: 'note://1', name: 'note' };
    const { call } = await budgeted({ run: ({ withContent }) => withContent(null, [image, { type: 'text', text: lines }, link]) });
    expect((await call()).content.slice(3)).to.deep.equal([image, link]);
  });

  it('is whole for host code', async () => {
    const { kernel } = await budgeted({ run: () => lines });
    const { output, content, meta } = await kernel.call({ tool: 'it' });
    expect([output === lines, content, meta]).to.deep.equal([true, undefined, {}]);
  });

  it('keeps its output beside what it shows, and says what was done', async () => {
    const { kernel } = await budgeted({ run: () => lines });
    const { output, callId, meta } = await kernel.call({ tool: 'it', origin: 'model' });
    expect(output === lines).to.equal(true);
    expect(meta).to.deep.equal({ outputBudget: { characters: lines.length, pages: 21, uri: `output://${callId}/1` } });
  });

  it('has no structuredContent without an output_schema', async () => {
    const { call } = await budgeted({ run: () => ({ text: lines }) });
    expect((await call()).structuredContent).to.equal(undefined);
  });

  const short: readonly { title: string; run: BudgetedOptions['run']; content: unknown }[] = [
    { title: 'of exactly as many characters', run: () => 'x'.repeat(2000), content: [{ type: 'text', text: 'x'.repeat(2000) }] },
    {
      title: 'with a large image',
      run: ({ withContent }) => withContent(lines, [{ type: 'image', data: 'QUJD'.repeat(1000), mimeType: 'image/png' }]),
      content: [{ type: 'image', data: 'QUJD'.repeat(1000), mimeType: 'image/png' }],
    },
  ];
  for (const { title, run, content } of short) {
    it(`is not one ${title}`, async () => {
      const { call } = await budgeted({ run });
      expect((await call()).content).to.deep.equal(content);
    });
  }
});

describe('output-budget: secrets', () => {
  for (const before of [0, 1690, 1695, 1699, 1700]) {
    it(`are masked on every page, also where a page ends in one after ${before} characters`, async () => {
      const { call, mcp } = await budgeted({ run: ({ secrets }) => `${'x'.repeat(before)}${secrets['SHOP_TOKEN']}${'y'.repeat(4000)}` });
      const result = await call();
      const text = (await readAll(shownBy(result).uri, mcp)).join('');
      expect(text).to.equal(`${'x'.repeat(before)}[secret SHOP_TOKEN]${'y'.repeat(4000)}`);
      for (const part of ['value-of', 'shop-token']) expect(JSON.stringify(result)).to.not.include(part);
    });
  }

  it('that only the call knows are masked for those who read later', async () => {
    const composing = definePlugin({
      name: 'composing',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.execute.for('*').tap('composing', (_, context) => void context.maskAlso('composed', 'user:and-what-else')),
    });
    const { call, mcp } = await budgeted({ run: () => `${lines}user:and-what-else`, plugins: [composing()] });
    const pages = (await readAll(shownBy(await call()).uri, mcp)).join('');
    expect(pages.slice(lines.length)).to.equal('[secret composed]');
  });
});

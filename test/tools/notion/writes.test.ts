import { expect } from 'chai';
import { type NotionAnswer, notionPack } from './notion-pack.ts';

const page = { page_id: '59833787-2cf9-4fdf-8782-e53db20768a5' };
const answer = (): NotionAnswer => ({ body: { object: 'page', id: page.page_id } });

describe('@toolkit/notion: writes', () => {
  const texts = [
    'Größe 東京 🏯 e\u0301 \u200d',
    '"quotes", \\ and\nlines\r\n',
    '{page_id} {{NOTION_API_KEY}} {NOTION_API_KEY}',
    '\u2028 \u0000',
  ];
  for (const text of texts) {
    it(`send ${JSON.stringify(text)} as it is, in values as in names`, async () => {
      const { toolkit, requests } = await notionPack(answer);
      const properties = { [text]: { rich_text: [{ text: { content: text } }] } };
      await toolkit.execute('notion_update_page', { ...page, properties });
      expect(JSON.parse(requests[0]?.body ?? '')).to.deep.equal({ properties });
    });
  }

  it('send nothing about the trash unless it was given', async () => {
    const { toolkit, requests } = await notionPack(answer);
    await toolkit.execute('notion_update_page', { ...page, properties: {} });
    await toolkit.execute('notion_update_page', { ...page, in_trash: true });
    expect(requests.map(({ body }) => JSON.parse(body))).to.deep.equal([{ properties: {} }, { in_trash: true }]);
  });

  it('keep values that are null, false, zero and empty', async () => {
    const { toolkit, requests } = await notionPack(answer);
    const properties = {
      Due: { date: null },
      Done: { checkbox: false },
      Price: { number: 0 },
      Tags: { multi_select: [] },
      Note: { rich_text: [] },
    };
    await toolkit.execute('notion_create_page', { parent: page, properties, children: [] });
    expect(JSON.parse(requests[0]?.body ?? '')).to.deep.equal({ parent: page, properties, children: [] });
  });

  it('take a hundred blocks, and pieces of two thousand characters', async () => {
    const { toolkit, requests } = await notionPack(answer);
    const block = { type: 'paragraph', paragraph: { rich_text: [{ text: { content: '🏯'.repeat(1000) } }] } };
    const children = Array.from({ length: 100 }, () => block);
    await toolkit.execute('notion_create_page', { parent: page, properties: {}, children });
    await toolkit.execute('notion_create_comment', { ...page, rich_text: [{ text: { content: 'x'.repeat(2000) } }] });
    expect(requests.map(({ body }) => body.length > 2000)).to.deep.equal([true, true]);
  });

  it('keep an id inside its path segment', async () => {
    const { toolkit, requests } = await notionPack(answer);
    await toolkit.execute('notion_update_page', { page_id: 'a/b?c=d#e' });
    expect(requests.map(({ url }) => url)).to.deep.equal(['/v1/pages/a%2Fb%3Fc%3Dd%23e']);
  });
});

import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

interface Entity {
  readonly kind: string;
  readonly value: string;
  readonly index: number;
}

const everyKind = ['email', 'url', 'ip', 'phone', 'date', 'number', 'hashtag', 'mention', 'uuid'];

describe('text_extract_entities', () => {
  const shared = sharedToolkit();

  const extract = async (text: string, kinds: readonly string[]): Promise<Entity[]> =>
    ((await shared.toolkit.execute('text_extract_entities', { text, kinds })) as unknown as { entities: Entity[] }).entities;

  const cases = [
    {
      kind: 'email',
      text: 'Mail a@b.de, <first.last+tag@mail.example.co.uk>; mailto:x@example.technology. Nicht @b, a@, a@localhost, a@b..c. 😀 ü@例え.jp',
      found: ['a@b.de', 'first.last+tag@mail.example.co.uk', 'x@example.technology'],
    },
    {
      kind: 'url',
      text: 'See http://example.com. (https://de.wikipedia.org/wiki/A_(b)) www.example.de example.org/x?y=1#z, ftp://f.example/ 見てhttps://例え.jp/パス！ https://user:pass@host.example:8080/p',
      found: [
        'http://example.com',
        'https://de.wikipedia.org/wiki/A_(b)',
        'www.example.de',
        'example.org/x?y=1#z',
        'ftp://f.example/',
        'https://例え.jp/パス',
        'https://user:pass@host.example:8080/p',
      ],
    },
    { kind: 'url', text: 'readme.md main.py node.js //comment.com javascript:alert(1) e.g. das.Es a@example.com', found: [] },
    {
      kind: 'ip',
      text: '10.0.0.1, 192.168.0.0/16 [2001:db8::ff00:42:8329]:80 ::1 fe80::1%eth0 ::ffff:1.2.3.4. http://192.0.2.1/',
      found: ['10.0.0.1', '192.168.0.0', '2001:db8::ff00:42:8329', '::1', 'fe80::1', '::ffff:1.2.3.4', '192.0.2.1'],
    },
    { kind: 'ip', text: '256.1.1.1 1.2.3.4.5 v1.2.3.4 01.2.3.4 12:30:45 std::vector add::face a::b::c :: 1.2.3', found: [] },
    {
      kind: 'phone',
      text: 'Tel. +49 30 901820, oder +1 (212) 555-0123 ext. 5; tel:+442083661177, 5 Leute. Nicht (030) 901820, +999 123, 12345678',
      found: ['+49 30 901820', '+1 (212) 555-0123 ext. 5', '+442083661177'],
    },
    {
      kind: 'date',
      text: '2026-03-14 2024-02-29T10:20:30.5+02:00 2026-03-14 10:20, 2026/3/4 14.3.2026 3/14/2026 31/12/2026 14 March 2026 1st of May 2026 Sept. 5, 2026 march 14th 2026 2026年3月14日.',
      found: [
        '2026-03-14',
        '2024-02-29T10:20:30.5+02:00',
        '2026-03-14 10:20',
        '2026/3/4',
        '14.3.2026',
        '3/14/2026',
        '31/12/2026',
        '14 March 2026',
        '1st of May 2026',
        'Sept. 5, 2026',
        'march 14th 2026',
        '2026年3月14日',
      ],
    },
    {
      kind: 'date',
      text: '2026-02-30 2025-02-29 31.4.2026 13/13/2026 32 May 2026 2026-13-01 12026-03-14 2026-03-14-1 1.2.2026.3 March 2026',
      found: [],
    },
    {
      kind: 'number',
      text: 'a 1, -2.5 +3 1,234.56 1.234,56 1’234 6e-23 (42) x=7; 価格は1234円 €5 10% 5-8 −9.',
      found: ['1', '-2.5', '+3', '1,234.56', '1.234,56', '1’234', '6e-23', '42', '7', '1234', '5', '10', '5', '8', '−9'],
    },
    { kind: 'number', text: 'v2 5kg abc123 10:30 1.2.3 2026-03-14 10.0.0.1 +49 30 901820 http://x.de/7 a7@b.de #5', found: [] },
    {
      kind: 'hashtag',
      text: '#tag (#Größe) #日本語 #a1 #2fast, http://x.de/#top foo#bar #123 C# ## &#39;',
      found: ['#tag', '#Größe', '#日本語', '#a1', '#2fast'],
    },
    {
      kind: 'mention',
      text: '@user, (@first.last) @日本 npm @scope/pkg @a_b-c. a@b.de x/@y @@z',
      found: ['@user', '@first.last', '@日本', '@scope', '@a_b-c'],
    },
    {
      kind: 'uuid',
      text: '550e8400-e29b-41d4-a716-446655440000 {0190A1B2-0000-7000-8000-000000000000} x550e8400-e29b-41d4-a716-446655440000 550e8400-e29b-41d4-a716-4466554400001',
      found: ['550e8400-e29b-41d4-a716-446655440000', '0190A1B2-0000-7000-8000-000000000000'],
    },
  ];
  for (const { kind, text, found } of cases) {
    it(`finds ${found.length} of kind ${kind} in "${text.slice(0, 40)}…", at their places`, async () => {
      const entities = await extract(text, [kind]);
      expect(entities.map(({ value }) => value)).to.deep.equal(found);
      for (const entity of entities)
        expect(text.startsWith(entity.value, entity.index) && entity.kind === kind, entity.value).to.equal(true);
    });
  }

  it('finds each kind by itself, also where they overlap, by place and of two at one place the longer first', async () => {
    const text = '👋 https://192.0.2.1/a#b1 mailto:me@example.com example.com #b1';
    expect(await extract(text, ['hashtag', 'ip', 'url', 'email', 'number'])).to.deep.equal([
      { kind: 'url', value: 'https://192.0.2.1/a#b1', index: 3 },
      { kind: 'ip', value: '192.0.2.1', index: 11 },
      { kind: 'email', value: 'me@example.com', index: 33 },
      { kind: 'url', value: 'example.com', index: 48 },
      { kind: 'hashtag', value: '#b1', index: 60 },
    ]);
    expect(await extract('2001:db8::1', ['number', 'ip'])).to.deep.equal([{ kind: 'ip', value: '2001:db8::1', index: 0 }]);
  });

  it('finds nothing in an empty text', async () => {
    expect(await extract('', everyKind)).to.deep.equal([]);
  });

  it('finds everything in a long text', async () => {
    const line = 'Call +49 30 901820 or a@b.de @c #d 5 10.0.0.1 www.e.de 2026-03-14 550e8400-e29b-41d4-a716-446655440000\n';
    const entities = await extract(line.repeat(1000), everyKind);
    expect(entities).to.have.length(9000);
    expect(entities.at(-1)?.index).to.equal(999 * line.length + line.indexOf('550e'));
  });

  it('reports each kind that it is done with', async () => {
    const seen: unknown[] = [];
    const onProgress = (progress: unknown): unknown => seen.push(progress);
    await shared.toolkit.execute('text_extract_entities', { text: 'a', kinds: ['uuid', 'url'] }, { onProgress });
    expect(seen).to.deep.equal([
      { progress: 1, total: 2, message: 'uuid' },
      { progress: 2, total: 2, message: 'url' },
    ]);
  });

  for (const kinds of [[], ['person'], ['email', 'email'], 'email']) {
    it(`refuses the kinds ${JSON.stringify(kinds)}`, async () => {
      const error = await rejection(extract('a', kinds as string[]), 'INVALID_PARAMETERS');
      expect(error.message).to.include('kinds');
    });
  }

  it('refuses a result that is larger than its limit', async () => {
    await rejection(extract('#a '.repeat(330_000), ['hashtag']), 'OUTPUT_TOO_LARGE');
  });
});

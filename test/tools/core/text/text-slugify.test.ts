import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('text_slugify', () => {
  const shared = sharedToolkit();

  const slugify = async (text: string, more: Record<string, unknown> = {}): Promise<string> =>
    ((await shared.toolkit.execute('text_slugify', { text, ...more })) as { slug: string }).slug;

  const cases = [
    { text: 'Hello, World!', slug: 'hello-world' },
    { text: 'Größe & Übermut', slug: 'groesse-and-uebermut' },
    { text: 'Привет, мир', slug: 'privet-mir' },
    { text: 'Tiếng Việt', slug: 'tieng-viet' },
    { text: 'GitHub JavaScript', slug: 'github-javascript' },
    { text: "it's John's", slug: 'its-johns' },
    { text: '  --a..b__c--  ', slug: 'a-b-c' },
    { text: '../../etc/passwd', slug: 'etc-passwd' },
    { text: '世界 2024', slug: '2024' },
    { text: '世界 👋', slug: '' },
    { text: '', slug: '' },
  ];
  for (const { text, slug } of cases) {
    it(`makes ${JSON.stringify(slug)} of ${JSON.stringify(text)}`, async () => {
      expect(await slugify(text)).to.equal(slug);
    });
  }

  for (const [separator, slug] of [
    ['_', 'one_two_three'],
    ['.', 'one.two.three'],
    ['~', 'one~two~three'],
    ['', 'onetwothree'],
  ] as const) {
    it(`puts ${JSON.stringify(separator)} between words`, async () => {
      expect(await slugify('One two, three', { separator })).to.equal(slug);
    });
  }

  const cuts = [
    { max_length: 100, slug: 'hello-big-world' },
    { max_length: 15, slug: 'hello-big-world' },
    { max_length: 14, slug: 'hello-big' },
    { max_length: 9, slug: 'hello-big' },
    { max_length: 8, slug: 'hello' },
    { max_length: 5, slug: 'hello' },
    { max_length: 3, slug: 'hel' },
    { max_length: 7, separator: '', slug: 'hellobi' },
  ];
  for (const { slug, ...more } of cuts) {
    it(`ends with a whole word where it can, for ${JSON.stringify(more)}`, async () => {
      expect(await slugify('Hello big world', more)).to.equal(slug);
    });
  }

  for (const more of [{ separator: '/' }, { separator: '--' }, { separator: 'a' }, { max_length: 0 }]) {
    it(`refuses ${JSON.stringify(more)}`, async () => {
      await rejection(slugify('Hello', more), 'INVALID_PARAMETERS');
    });
  }
});

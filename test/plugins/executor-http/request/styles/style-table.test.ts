import { expect } from 'chai';
import { Random } from '../../../../support/random.ts';
import { rejection } from '../../../../support/rejection.ts';
import { rendered, writtenIn } from './rendered.ts';

type Place = Parameters<typeof writtenIn>[0];

/** The values of the examples in OpenAPI 3.1 (Parameter Object, Style Examples). */
const values = { empty: '', text: 'blue', list: ['blue', 'black', 'brown'], object: { R: 100, G: 200, B: 150 } };

interface Row {
  readonly places: readonly Place[];
  readonly style: string;
  readonly explode: boolean;
  /** The texts of the specification. A value that is not here has no form. */
  readonly texts: Partial<Record<keyof typeof values, string>>;
}

/** The table of OpenAPI 3.0.4 and 3.1.1, with brackets and bars as they are. */
const rows: readonly Row[] = [
  {
    places: ['path'],
    style: 'matrix',
    explode: false,
    texts: { empty: ';color', text: ';color=blue', list: ';color=blue,black,brown', object: ';color=R,100,G,200,B,150' },
  },
  {
    places: ['path'],
    style: 'matrix',
    explode: true,
    texts: { empty: ';color', text: ';color=blue', list: ';color=blue;color=black;color=brown', object: ';R=100;G=200;B=150' },
  },
  {
    places: ['path'],
    style: 'label',
    explode: false,
    texts: { empty: '.', text: '.blue', list: '.blue,black,brown', object: '.R,100,G,200,B,150' },
  },
  {
    places: ['path'],
    style: 'label',
    explode: true,
    texts: { empty: '.', text: '.blue', list: '.blue.black.brown', object: '.R=100.G=200.B=150' },
  },
  {
    places: ['path', 'header'],
    style: 'simple',
    explode: false,
    texts: { text: 'blue', list: 'blue,black,brown', object: 'R,100,G,200,B,150' },
  },
  {
    places: ['path', 'header'],
    style: 'simple',
    explode: true,
    texts: { text: 'blue', list: 'blue,black,brown', object: 'R=100,G=200,B=150' },
  },
  {
    places: ['query', 'form', 'cookie'],
    style: 'form',
    explode: false,
    texts: { empty: 'color=', text: 'color=blue', list: 'color=blue,black,brown', object: 'color=R,100,G,200,B,150' },
  },
  {
    places: ['query', 'form'],
    style: 'form',
    explode: true,
    texts: { empty: 'color=', text: 'color=blue', list: 'color=blue&color=black&color=brown', object: 'R=100&G=200&B=150' },
  },
  // The separator of cookies, as in OpenAPI 3.2, style cookie.
  {
    places: ['cookie'],
    style: 'form',
    explode: true,
    texts: { empty: 'color=', text: 'color=blue', list: 'color=blue; color=black; color=brown', object: 'R=100; G=200; B=150' },
  },
  {
    places: ['query', 'form'],
    style: 'spaceDelimited',
    explode: false,
    texts: { list: 'color=blue%20black%20brown', object: 'color=R%20100%20G%20200%20B%20150' },
  },
  {
    places: ['query', 'form'],
    style: 'pipeDelimited',
    explode: false,
    texts: { list: 'color=blue|black|brown', object: 'color=R|100|G|200|B|150' },
  },
  { places: ['query', 'form'], style: 'deepObject', explode: true, texts: { object: 'color[R]=100&color[G]=200&color[B]=150' } },
];

const cases = rows.flatMap(({ places, style, explode, texts }) =>
  places.flatMap((place) =>
    Object.entries(texts).map(([kind, text]) => ({ place, style, explode, kind: kind as keyof typeof values, text })),
  ),
);

describe('executor-http: the table of styles', () => {
  it('has every pair of style and explode that a place may have', () => {
    const pairs = new Set(cases.map(({ place, style, explode }) => `${place} ${style} ${explode}`));
    expect(pairs.size).to.equal(6 + 2 + 5 + 5 + 2);
  });

  for (const { place, style, explode, kind, text } of cases)
    it(`writes ${kind} in a ${place} as ${style}${explode ? ', exploded' : ''}: ${text}`, async () =>
      expect(await writtenIn(place, { style, explode }, values[kind])).to.equal(text));

  for (const place of ['query', 'form', 'header', 'cookie'] as const)
    for (const nothing of [[], {}, null, undefined, [null], { R: null }])
      it(`writes nothing in a ${place} for ${JSON.stringify(nothing)}`, async () =>
        expect(await writtenIn(place, {}, nothing)).to.equal(undefined));

  it('sends an empty header for an empty text', async () => expect(await writtenIn('header', { explode: false }, '')).to.equal(''));

  for (const style of ['simple', 'label', 'matrix'])
    for (const nothing of [[], {}, null, [null]])
      it(`refuses ${JSON.stringify(nothing)} in a path as ${style}`, () =>
        rejection(writtenIn('path', { style }, nothing), 'INVALID_PARAMETERS'));

  it('refuses an empty text in a path as simple', () => rejection(writtenIn('path', { style: 'simple' }, ''), 'INVALID_PARAMETERS'));
});

/** Texts with every separator and sign that a style or a URL knows. A lone surrogate becomes U+FFFD. */
const nasty = [
  'a,b',
  'c|d',
  'é漢🚀',
  'x&y=z',
  '#+%2C%',
  "it's (*)!",
  'k;l',
  'm.n',
  'p/q?r',
  '[s]',
  'u:v@w$',
  '"',
  '{color}',
  '~-_',
  '<>^`',
];
const decode = (text: string): string => decodeURIComponent(text);

interface Splitting {
  readonly place: Place;
  readonly style: Readonly<Record<string, unknown>>;
  /** The text before the items, and the one between them. */
  readonly before: string;
  readonly between: string;
}

const splittings: readonly Splitting[] = [
  { place: 'query', style: { style: 'form', explode: false }, before: 'color=', between: ',' },
  { place: 'query', style: { style: 'form', explode: false, allow_reserved: true }, before: 'color=', between: ',' },
  { place: 'query', style: { style: 'form', explode: true }, before: 'color=', between: '&color=' },
  { place: 'query', style: { style: 'pipeDelimited', explode: false }, before: 'color=', between: '|' },
  { place: 'query', style: { style: 'deepObject' }, before: 'color[]=', between: '&color[]=' },
  { place: 'form', style: { style: 'form', explode: false }, before: 'color=', between: ',' },
  { place: 'path', style: { style: 'simple' }, before: '', between: ',' },
  { place: 'path', style: { style: 'simple', allow_reserved: true }, before: '', between: ',' },
  { place: 'path', style: { style: 'label', explode: false }, before: '.', between: ',' },
  { place: 'path', style: { style: 'label', explode: true }, before: '.', between: '.' },
  { place: 'path', style: { style: 'label', explode: true, allow_reserved: true }, before: '.', between: '.' },
  { place: 'path', style: { style: 'matrix', explode: false }, before: ';color=', between: ',' },
  { place: 'path', style: { style: 'matrix', explode: true }, before: ';color=', between: ';color=' },
  { place: 'path', style: { style: 'matrix', explode: true, allow_reserved: true }, before: ';color=', between: ';color=' },
  { place: 'header', style: { style: 'simple' }, before: '', between: ',' },
  { place: 'cookie', style: { style: 'form', explode: false }, before: 'color=', between: ',' },
  { place: 'cookie', style: { style: 'form', explode: true }, before: 'color=', between: '; color=' },
  { place: 'cookie', style: { style: 'form', explode: true, allow_reserved: true }, before: 'color=', between: '; color=' },
];

describe('executor-http: a receiver of a styled list', () => {
  for (const { place, style, before, between } of splittings) {
    const text = `${place} ${JSON.stringify(style)}`;
    it(`that splits and then decodes gets every item: ${text}`, async () => {
      const written = await writtenIn(place, style, [...nasty, 'lone \ud800 surrogate']);
      expect(written?.startsWith(before)).to.equal(true);
      expect(written?.slice(before.length).split(between).map(decode)).to.deep.equal([...nasty, 'lone \ufffd surrogate']);
    });

    it(`that decodes and then splits gets every item without the separator: ${text}`, async () => {
      const items = nasty.filter((item) => !item.includes(between) && !item.includes('%'));
      const written = await writtenIn(place, style, items);
      expect(
        decode(written ?? '')
          .slice(before.length)
          .split(between),
      ).to.deep.equal(items);
    });
  }

  const objects: readonly Splitting[] = [
    { place: 'query', style: { style: 'form', explode: true }, before: '', between: '&' },
    { place: 'form', style: { style: 'form', explode: true }, before: '', between: '&' },
    { place: 'path', style: { style: 'simple', explode: true }, before: '', between: ',' },
    { place: 'path', style: { style: 'label', explode: true }, before: '.', between: '.' },
    { place: 'path', style: { style: 'matrix', explode: true }, before: ';', between: ';' },
    { place: 'header', style: { style: 'simple', explode: true }, before: '', between: ',' },
    { place: 'cookie', style: { style: 'form', explode: true }, before: '', between: '; ' },
  ];
  for (const { place, style, before, between } of objects)
    it(`gets names and values of an object: ${place} ${JSON.stringify(style)}`, async () => {
      const object = Object.fromEntries(nasty.map((text) => [`n ${text}`, text]));
      const written = (await writtenIn(place, style, object)) ?? '';
      const pairs = written.slice(before.length).split(between);
      expect(Object.fromEntries(pairs.map((pair) => pair.split('=').map(decode)))).to.deep.equal(object);
    });

  it('gets every name of a nested object', async () => {
    const written =
      (await writtenIn('query', { style: 'deepObject' }, { 'a]': { '[b': 'x', 'c&d=': [1, 2] }, e: [{ f: [true] }, 'g'] })) ?? '';
    expect(written).to.equal('color[a%5D][%5Bb]=x&color[a%5D][c%26d%3D][]=1&color[a%5D][c%26d%3D][]=2&color[e][0][f][]=true&color[e][1]=g');
  });
});

describe('executor-http: a styled value in a path', () => {
  const pieces = [
    '.',
    '..',
    '/',
    '\\',
    '%2e',
    '%2F',
    '%5c',
    ';',
    ',',
    '=',
    '?',
    '#',
    '@',
    ':',
    'a',
    '',
    ' ',
    '\n',
    '\t',
    '\ud800',
    'é',
    '&',
    '[',
    '{color}',
  ];
  const styles = ['simple', 'label', 'matrix'].flatMap((style) =>
    [false, true].flatMap((explode) => [false, true].map((allow_reserved) => ({ style, explode, allow_reserved }))),
  );

  for (const style of styles)
    it(`stays in its segment, or is refused: ${JSON.stringify(style)}`, async () => {
      const random = new Random(46);
      let sentCount = 0;
      for (let round = 0; round < 100; round++) {
        const text = (): string => Array.from({ length: random.between(0, 4) }, () => random.oneOf(pieces)).join('');
        const color = random.oneOf([text(), [text(), text()], { [text()]: text(), k: text() }]);
        for (const url of ['https://api.example/a/{color}/z', 'https://api.example/a/x{color}/z']) {
          const request = await rendered({ url, path_params: { color: { value: '{color}', ...style } } }, { color }).catch(
            (error) => error.code,
          );
          if (request === 'INVALID_PARAMETERS') continue;
          sentCount++;
          const { pathname, search, hash, host } = request.url as URL;
          expect([host, search, hash], JSON.stringify(color)).to.deep.equal(['api.example', '', '']);
          const segments = pathname.split('/');
          expect([segments.length, segments[1], segments[3]], `${JSON.stringify(color)} ${pathname}`).to.deep.equal([4, 'a', 'z']);
          expect(segments[2]).to.match(/^[\w.~%:@!$&'()*+,;=-]+$/);
        }
      }
      expect(sentCount).to.be.greaterThan(50);
    });
});

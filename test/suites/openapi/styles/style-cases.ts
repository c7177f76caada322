import type { Kind } from '../decoder/described-operation.ts';

type Place = 'path' | 'query' | 'header' | 'cookie';

/** One way to write a value, with the text that goes over the wire (OAS 3.1, 4.8.12.4; RFC 6570, 3.2). */
export interface StyleCase {
  readonly place: Place;
  readonly style: string;
  readonly explode: boolean;
  readonly kind: Kind;
  readonly value: unknown;
  /** Path segment, query, header value or Cookie header of the parameter `p`. */
  readonly wire: string;
}

const text = 'a b/c';
const list = ['blue', 'a,b & c'];
const object = { R: '100', 'G x': 'a=b' };
const plainList = ['blue', 'black'];
const plainObject = { R: '100', G: '200' };

const row = (place: Place, style: string, explode: boolean, kind: Kind, value: unknown, wire: string): StyleCase => ({
  place,
  style,
  explode,
  kind,
  value,
  wire,
});

/** The 23 pairs of a style and `explode` that lists and objects have. */
export const styleCases: readonly StyleCase[] = [
  row('path', 'simple', false, 'list', list, 'blue,a%2Cb%20%26%20c'),
  row('path', 'simple', true, 'list', list, 'blue,a%2Cb%20%26%20c'),
  row('path', 'simple', false, 'object', object, 'R,100,G%20x,a%3Db'),
  row('path', 'simple', true, 'object', object, 'R=100,G%20x=a%3Db'),
  row('path', 'label', false, 'list', list, '.blue,a%2Cb%20%26%20c'),
  row('path', 'label', true, 'list', list, '.blue.a%2Cb%20%26%20c'),
  row('path', 'label', false, 'object', object, '.R,100,G%20x,a%3Db'),
  row('path', 'label', true, 'object', object, '.R=100.G%20x=a%3Db'),
  row('path', 'matrix', false, 'list', list, ';p=blue,a%2Cb%20%26%20c'),
  row('path', 'matrix', true, 'list', list, ';p=blue;p=a%2Cb%20%26%20c'),
  row('path', 'matrix', false, 'object', object, ';p=R,100,G%20x,a%3Db'),
  row('path', 'matrix', true, 'object', object, ';R=100;G%20x=a%3Db'),
  row('query', 'form', false, 'list', list, 'p=blue,a%2Cb%20%26%20c'),
  row('query', 'form', true, 'list', list, 'p=blue&p=a%2Cb%20%26%20c'),
  row('query', 'form', false, 'object', object, 'p=R,100,G%20x,a%3Db'),
  row('query', 'form', true, 'object', object, 'R=100&G%20x=a%3Db'),
  row('query', 'spaceDelimited', false, 'list', ['blue', 'a,b&c'], 'p=blue%20a%2Cb%26c'),
  row('query', 'spaceDelimited', false, 'object', { R: '100', G: 'a=b' }, 'p=R%20100%20G%20a%3Db'),
  row('query', 'pipeDelimited', false, 'list', [...list, 'x|y'], 'p=blue|a%2Cb%20%26%20c|x%7Cy'),
  row('query', 'pipeDelimited', false, 'object', object, 'p=R|100|G%20x|a%3Db'),
  row('query', 'deepObject', true, 'object', object, 'p[R]=100&p[G%20x]=a%3Db'),
  row('header', 'simple', false, 'object', plainObject, 'R,100,G,200'),
  row('header', 'simple', true, 'object', plainObject, 'R=100,G=200'),
];

/** Texts in each style, lists of headers, and cookies. */
export const furtherCases: readonly StyleCase[] = [
  row('path', 'simple', false, 'text', text, 'a%20b%2Fc'),
  row('path', 'label', false, 'text', text, '.a%20b%2Fc'),
  row('path', 'matrix', false, 'text', text, ';p=a%20b%2Fc'),
  row('query', 'form', true, 'text', text, 'p=a%20b%2Fc'),
  row('query', 'spaceDelimited', true, 'list', list, 'p=blue&p=a%2Cb%20%26%20c'),
  row('query', 'pipeDelimited', true, 'list', list, 'p=blue&p=a%2Cb%20%26%20c'),
  row('header', 'simple', false, 'text', 'a b', 'a b'),
  row('header', 'simple', false, 'list', plainList, 'blue,black'),
  row('header', 'simple', true, 'list', plainList, 'blue,black'),
  row('cookie', 'form', true, 'text', 'blue', 'p=blue'),
  row('cookie', 'form', false, 'list', plainList, 'p=blue,black'),
  row('cookie', 'form', false, 'object', plainObject, 'p=R,100,G,200'),
];

/** Returns the operationId of a case in `styles.yaml`. */
export function operationOf({ place, style, explode, kind }: StyleCase): string {
  return `${place}_${style}_${explode ? 'exploded' : 'joined'}_${kind}`;
}

/** Returns the path of a case in `styles.yaml`. */
export function pathOf(one: StyleCase): string {
  return `/${operationOf(one)}${one.place === 'path' ? '/{p}/end' : ''}`;
}

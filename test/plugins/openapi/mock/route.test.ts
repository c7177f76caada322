import { expect } from 'chai';
import { createRouter } from '../../../../plugins/openapi/mock/route.ts';
import type { Operation } from '../../../../plugins/openapi/operations/operation.ts';

const operations = [
  'get /books',
  'get /books/{isbn}',
  'get /books/latest',
  'delete /books/{isbn}',
  'post /books/{isbn}:lend',
  'get /files/{id}?acl',
  'get /files/{id}',
  'get /a.b/{c}',
  'get /größe',
  'get /range/{from}-{to}.csv',
  `get /many/${'{a}'.repeat(40)}-`,
  'get /odd/\ud800',
].map((key) => {
  const [method, path] = key.split(' ');
  return { method, path } as Operation;
});

const cases: readonly [method: string, target: string, key: string | undefined][] = [
  ['GET', '/books', 'get /books'],
  ['GET', '/books/', 'get /books'],
  ['GET', '/books?genre=novel', 'get /books'],
  ['GET', '/books/1', 'get /books/{isbn}'],
  ['GET', '/books/a%2Fb', 'get /books/{isbn}'],
  ['GET', '/books/latest', 'get /books/latest'],
  ['DELETE', '/books/latest', 'delete /books/{isbn}'],
  ['POST', '/books/1:lend', 'post /books/{isbn}:lend'],
  ['GET', '/books/1/2', undefined],
  ['PUT', '/books/1', undefined],
  ['GET', '/files/1', 'get /files/{id}'],
  ['GET', '/files/1?acl', 'get /files/{id}?acl'],
  ['GET', '/a.b/1', 'get /a.b/{c}'],
  ['GET', '/aXb/1', undefined],
  ['GET', '/range/1-2-3.csv', 'get /range/{from}-{to}.csv'],
  ['GET', '/range/1-.csv', undefined],
  ['GET', `/many/${'a'.repeat(4000)}`, undefined],
  ['GET', '/gr%C3%B6%C3%9Fe', 'get /größe'],
];

describe('createRouter', () => {
  const find = createRouter(operations);
  for (const [method, target, key] of cases)
    it(`finds ${key ?? 'nothing'} for ${method} ${target.slice(0, 40)}`, () => {
      const found = find(method, new URL(target, 'http://mock.example'));
      expect(found && `${found.method} ${found.path}`).to.equal(key);
    });
});

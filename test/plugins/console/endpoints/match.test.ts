import { expect } from 'chai';
import type { Endpoint } from '../../../../plugins/console/endpoints/endpoint.ts';
import { matchEndpoint } from '../../../../plugins/console/endpoints/match.ts';

const endpoint = (method: Endpoint['method'], path: string): Endpoint => ({ method, path, answer: () => path });

const endpoints: readonly Endpoint[] = [
  endpoint('GET', 'approvals/{id}'),
  endpoint('GET', 'approvals'),
  endpoint('POST', 'approvals/{id}/decide'),
  endpoint('POST', 'approvals/{id}'),
  endpoint('POST', 'approvals/decide'),
  endpoint('GET', 'tools/{name}'),
];

describe('a path of the console’s API', () => {
  const found: readonly (readonly [method: string, path: string, template: string, values: Readonly<Record<string, string>>])[] = [
    ['GET', 'approvals', 'approvals', {}],
    ['GET', 'approvals/a-1', 'approvals/{id}', { id: 'a-1' }],
    ['POST', 'approvals/a-1/decide', 'approvals/{id}/decide', { id: 'a-1' }],
    ['POST', 'approvals/decide', 'approvals/decide', {}],
    ['GET', 'approvals/decide', 'approvals/{id}', { id: 'decide' }],
    ['GET', 'tools/a%2Fb%20%C3%A4', 'tools/{name}', { name: 'a/b ä' }],
    ['GET', 'tools/__proto__', 'tools/{name}', { name: '__proto__' }],
  ];
  for (const [method, path, template, values] of found)
    it(`${method} ${path} has the endpoint ${template}`, () => {
      const match = matchEndpoint(endpoints, method, path);
      expect(match).to.have.nested.property('endpoint.path', template);
      expect(match).to.deep.include({ values });
    });

  for (const path of [
    '',
    '/',
    'approvals/',
    'approvals//decide',
    'approvals/.',
    'approvals/%2e%2e',
    'approvals/%ff',
    'Approvals',
    'none',
    'approvals/a/b/c',
  ])
    it(`"${path}" has none`, () => {
      expect(matchEndpoint(endpoints, 'GET', path)).to.equal(undefined);
    });

  it('with another method has the methods that it takes', () => {
    expect(matchEndpoint(endpoints, 'POST', 'approvals')).to.deep.equal({ allowed: ['GET'] });
    expect(matchEndpoint(endpoints, 'PUT', 'approvals/decide')).to.deep.equal({ allowed: ['GET', 'POST'] });
  });
});

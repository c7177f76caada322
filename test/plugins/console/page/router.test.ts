import { expect } from 'chai';
import { hashOf, parseHash } from '../../../../plugins/console/page/router.ts';

describe('the addresses of the console page', () => {
  const same: readonly (readonly [string, ReturnType<typeof parseHash>])[] = [
    ['#/inbox', { page: 'inbox', query: {} }],
    ['#/inbox/ap-1?status=all', { page: 'inbox', id: 'ap-1', query: { status: 'all' } }],
    ['#/tools/a%2Fb%3Fc', { page: 'tools', id: 'a/b?c', query: {} }],
    ['#/calls?tool=git_push', { page: 'calls', query: { tool: 'git_push' } }],
  ];
  for (const [hash, route] of same)
    it(`read and write ${hash}`, () => {
      expect(parseHash(hash)).to.deep.equal(route);
      expect(hashOf(route.page, route.id, route.query)).to.equal(hash);
    });

  for (const hash of ['', '#', '#/', '#/nowhere/x', '#/__proto__', '#/toString'])
    it(`show the inbox for ${JSON.stringify(hash)}`, () => {
      expect(parseHash(hash)).to.deep.equal({ page: 'inbox', query: {} });
    });

  it('take a part that is no valid encoding as it is', () => {
    expect(parseHash('#/tools/100%').id).to.equal('100%');
  });

  it('leave out members of the query that are empty', () => {
    expect(hashOf('inbox', undefined, { status: undefined, filter: '' })).to.equal('#/inbox');
  });
});

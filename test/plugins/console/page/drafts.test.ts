import { expect } from 'chai';
import { Drafts } from '../../../../plugins/console/page/drafts.ts';

describe('the drafts of the page', () => {
  it('stay until they are removed, and report each change until a listener ends', () => {
    const drafts = new Drafts();
    const changed: string[] = [];
    const end = drafts.onChange((key) => changed.push(key));
    drafts.set('a', 'typed');
    expect(drafts.get('a')).to.equal('typed');
    drafts.set('a', undefined);
    end();
    drafts.set('b', 1);
    expect([drafts.get('a'), changed]).to.deep.equal([undefined, ['a', 'a']]);
  });

  it('are a hundred, of which the one that was changed longest ago leaves', () => {
    const drafts = new Drafts();
    for (let index = 0; index < 100; index++) drafts.set(`${index}`, index);
    drafts.set('0', 'again');
    drafts.set('100', 100);
    expect([drafts.get('0'), drafts.get('1'), drafts.get('2')]).to.deep.equal(['again', undefined, 2]);
  });
});

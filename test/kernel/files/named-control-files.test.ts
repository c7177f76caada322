import { expect } from 'chai';
import { NamedControlFiles } from '../../../kernel/files/named-control-files.ts';

describe('the control files of a kernel', () => {
  it('are the same rules as long as no list of patterns differs', () => {
    const named = new NamedControlFiles();
    let patterns: readonly string[] = ['/a', '/b'];
    named.add('one', '/own', { what: 'a file of its own' });
    named.add('two', () => [...patterns], { what: 'files that come and go' });
    const first = named.current;
    expect(named.current).to.equal(first);
    patterns = ['/a', '/c'];
    const second = named.current;
    expect(second).to.not.equal(first);
    expect(named.current).to.equal(second);
    patterns = ['/a'];
    expect(named.current).to.not.equal(second);
  });

  it('are others when a plugin changes the list that it gave', () => {
    const named = new NamedControlFiles();
    const patterns = ['/a'];
    named.add('one', () => patterns, { what: 'files' });
    const first = named.current;
    patterns.push('/b');
    expect(named.current).to.not.equal(first);
  });

  it('have the rules of a plugin that adds some later', () => {
    const named = new NamedControlFiles();
    named.add('one', '/own', { what: 'a file' });
    const first = named.current;
    named.add('two', '/other', { what: 'another file' });
    expect(named.current).to.not.equal(first);
  });
});

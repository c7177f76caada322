import { expect } from 'chai';
import { standard } from '../../../plugins/toolkit/standard.ts';

const optionsIn = (options: Parameters<typeof standard>[0]): unknown =>
  standard(options).find(({ name }) => name === 'sandbox-bwrap')?.options;

describe('the sandbox in standard()', () => {
  it('is off by default', () => {
    expect(optionsIn({})).to.equal(undefined);
    expect(optionsIn({ sandbox: false })).to.equal(undefined);
  });

  it('has the roots of file tools, unless it has its own', () => {
    expect(optionsIn({ roots: ['work'], sandbox: true })).to.deep.equal({ roots: ['work'] });
    expect(optionsIn({ roots: ['work'], sandbox: { readable: ['lib'] } })).to.deep.equal({ roots: ['work'], readable: ['lib'] });
    expect(optionsIn({ roots: ['work'], sandbox: { roots: ['other'] } })).to.deep.equal({ roots: ['other'] });
  });

  it('refuses an option that it does not know', () => {
    expect(() => standard({ sandbox: { writeable: [] } as never })).to.throw('sandbox');
  });
});

import { inspect } from 'node:util';
import { expect } from 'chai';
import { ToolkitError } from '../../../kernel/errors.ts';
import { Redactor } from '../../../kernel/secrets/redact.ts';
import { revealSecret, Secret, SecretStore } from '../../../kernel/secrets/secret.ts';

describe('a secret', () => {
  const secret = new Secret('API_KEY', 'hunter2-hunter2');

  const ways: { title: string; text: string }[] = [
    { title: 'String()', text: String(secret) },
    { title: 'a template', text: `${secret}` },
    { title: 'JSON', text: JSON.stringify({ secret }) },
    { title: 'util.inspect', text: inspect({ nested: { secret } }, { depth: 9, showHidden: true }) },
    { title: 'its own properties', text: JSON.stringify(Object.getOwnPropertyDescriptors(secret)) },
  ];
  for (const { title, text } of ways)
    it(`shows its name and not its value through ${title}`, () => expect(text).to.include('API_KEY').and.not.include('hunter2'));

  it('gives its value to revealSecret', () => expect(revealSecret(secret)).to.equal('hunter2-hunter2'));

  it('of another copy of the kernel is refused by name, and is no empty text', () => {
    const foreign = Object.freeze(Object.assign(Object.create(Secret.prototype) as Secret, { name: 'TOKEN' }));
    expect(() => revealSecret(foreign)).to.throw(ToolkitError, /\[secret TOKEN\] is not known here/);
  });
});

describe('the secret store', () => {
  it('still gives a value past its time to live, and names it among the expired', () => {
    let now = 1000;
    const store = new SecretStore(() => now);
    const secret = store.set('A', 'value', { resolver: 'store', life: 50 });
    store.set('B', 'value', { resolver: 'store' });
    now = 1049;
    expect(store.expired()).to.deep.equal([]);
    now = 1050;
    expect(store.expired()).to.deep.equal(['A']);
    expect(store.get('A')).to.equal(secret);
  });
});

describe('redaction', () => {
  const value = 'p@ss w0rd/+"ü';
  const redactor = new Redactor();
  redactor.add(new Secret('PASS', value));
  const base64 = Buffer.from(value).toString('base64');
  const forms = [
    { title: 'plain', text: `x ${value} y` },
    { title: 'base64', text: `Basic ${base64}` },
    { title: 'base64 without padding', text: base64.replace(/=+$/, '') },
    { title: 'base64url', text: Buffer.from(value).toString('base64url') },
    { title: 'URL-encoded', text: `https://x/?p=${encodeURIComponent(value)}&q=1` },
    { title: 'form-encoded', text: new URLSearchParams({ p: value }).toString() },
    { title: 'JSON-escaped', text: JSON.stringify({ p: value }) },
  ];
  for (const { title, text } of forms) {
    it(`masks the ${title} form`, () => {
      expect(redactor.text(text)).to.include('[secret PASS]').and.not.include('w0rd').and.not.include(base64.slice(0, -2));
    });
  }

  it('masks inside nested values and keys, and returns the same object when nothing was found', () => {
    const clean = { a: ['b', { c: 1 }] };
    expect(redactor.value(clean)).to.equal(clean);
    expect(redactor.value({ a: [`1${value}2`, { [value]: 1 }] })).to.deep.equal({ a: ['1[secret PASS]2', { '[secret PASS]': 1 }] });
  });

  it('masks the longer of two values that begin alike', () => {
    const both = new Redactor();
    both.add(new Secret('SHORT', 'abcdef'));
    both.add(new Secret('LONG', 'abcdefghi'));
    expect(both.text('abcdefghi abcdef')).to.equal('[secret LONG] [secret SHORT]');
  });

  it('leaves values shorter than four characters alone', () => {
    const short = new Redactor();
    short.add(new Secret('N', '1'));
    expect(short.text('1 of 1')).to.equal('1 of 1');
  });
});

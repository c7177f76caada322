import { expect } from 'chai';
import { RedirectCookies } from '../../../../plugins/shared/http/redirect-cookies.ts';

/** The Cookie header of a request to `to`, after these were set by `from`. */
async function sentTo(to: string, from: string, lines: readonly string[], own?: string): Promise<string | undefined> {
  const cookies = new RedirectCookies();
  const headers = new Headers();
  for (const line of lines) headers.append('set-cookie', line);
  await cookies.take(new URL(from), headers);
  return cookies.headerFor(new URL(to), own);
}

interface Row {
  readonly what: string;
  readonly set: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly own?: string;
  readonly sent: string | undefined;
}

const past = 'Wed, 21 Oct 2015 07:28:00 GMT';

const rows: readonly Row[] = [
  { what: 'goes back to its host', set: ['a=1; Path=/'], sent: 'a=1' },
  { what: 'keeps its characters', set: ['a="b%20=c/d+"; Path=/'], sent: 'a="b%20=c/d+"' },
  { what: 'may lack a name', set: ['token'], sent: 'token' },
  { what: 'goes from http to https', set: ['a=1'], from: 'http://a.example/', to: 'https://a.example/', sent: 'a=1' },
  { what: 'goes from https to http without Secure', set: ['a=1'], from: 'https://a.example/', to: 'http://a.example/', sent: 'a=1' },
  { what: 'with Secure stays on https', set: ['a=1; Secure'], from: 'https://a.example/', to: 'http://a.example/', sent: undefined },
  { what: 'with Secure goes over https', set: ['a=1; Secure'], from: 'https://a.example/', to: 'https://a.example/b', sent: 'a=1' },
  {
    what: 'with Secure is not taken over http',
    set: ['a=1; Secure'],
    from: 'http://a.example/',
    to: 'https://a.example/',
    sent: undefined,
  },
  { what: 'does not go to another host', set: ['a=1; Path=/'], to: 'http://b.example/', sent: undefined },
  { what: 'does not go to a host below', set: ['a=1; Domain=a.example'], to: 'http://x.a.example/', sent: undefined },
  {
    what: 'does not go to the host above',
    set: ['a=1; Domain=example'],
    from: 'http://a.example/',
    to: 'http://example/',
    sent: undefined,
  },
  { what: 'does not go to another port', set: ['a=1'], from: 'http://a.example:81/', to: 'http://a.example:82/', sent: undefined },
  { what: 'is not taken for another domain', set: ['a=1; Domain=b.example'], sent: undefined },
  { what: 'is not taken for a domain that ends alike', set: ['a=1; Domain=ample'], sent: undefined },
  { what: 'goes to its path', set: ['a=1; Path=/in'], to: 'http://a.example/in', sent: 'a=1' },
  { what: 'goes below its path', set: ['a=1; Path=/in'], to: 'http://a.example/in/deep', sent: 'a=1' },
  { what: 'does not go beside its path', set: ['a=1; Path=/in'], to: 'http://a.example/inside', sent: undefined },
  { what: 'without a path belongs to the folder', set: ['a=1'], from: 'http://a.example/b/c', to: 'http://a.example/d', sent: undefined },
  { what: 'without a path goes within the folder', set: ['a=1'], from: 'http://a.example/b/c', to: 'http://a.example/b/d', sent: 'a=1' },
  {
    what: 'with a path that is none belongs to the folder',
    set: ['a=1; Path=x'],
    from: 'http://a.example/b/c',
    to: 'http://a.example/b/',
    sent: 'a=1',
  },
  { what: 'of a longer path comes first', set: ['a=1; Path=/', 'b=2; Path=/in'], to: 'http://a.example/in', sent: 'b=2; a=1' },
  { what: 'gives way to one of its name', set: ['a=1; Path=/', 'a=2; Path=/'], sent: 'a=2' },
  { what: 'is over with Max-Age=0', set: ['a=1; Path=/', 'a=; Max-Age=0; Path=/'], sent: undefined },
  { what: 'is over with a date that is past', set: ['a=1; Path=/', `a=; Expires=${past}; Path=/`], sent: undefined },
  { what: 'lives by Max-Age, whatever its date', set: [`a=1; Max-Age=60; Expires=${past}; Path=/`], sent: 'a=1' },
  { what: 'with the prefix __Host- needs Secure', set: ['__Host-a=1; Path=/'], sent: undefined },
  {
    what: 'with the prefix __Host- needs its path',
    set: ['__Host-a=1; Secure'],
    from: 'https://a.example/b/',
    to: 'https://a.example/b/',
    sent: undefined,
  },
  { what: 'with the prefix __Secure- needs Secure', set: ['__Secure-a=1; Path=/'], sent: undefined },
  { what: 'with a control character is not taken', set: ['a=1\u0001; Path=/'], sent: undefined },
  { what: 'stands behind the pairs of the request', set: ['a=1; Path=/'], own: 'own=x', sent: 'own=x; a=1' },
  { what: 'takes the place of a pair of its name', set: ['a=1; Path=/'], own: 'a=0; own=x', sent: 'own=x; a=1' },
];

describe('a cookie of a chain of redirects', () => {
  for (const { what, set, from = 'http://a.example/', to = 'http://a.example/', own, sent } of rows) {
    it(what, async () => {
      expect(await sentTo(to, from, set, own)).to.equal(sent);
    });
  }

  it('is a secret of the chain unless it may be a word or a number', async () => {
    const headers = new Headers();
    for (const value of ['accepted', '1234567890', 'short1', 'a1b2c3d4e5', 'yes']) headers.append('set-cookie', `c=${value}`);
    expect(await new RedirectCookies().take(new URL('http://a.example/'), headers)).to.deep.equal(['a1b2c3d4e5']);
  });

  it('is one of a hundred at most', async () => {
    const cookies = new RedirectCookies();
    const headers = new Headers();
    for (let index = 0; index < 300; index++) headers.append('set-cookie', `c${index}=1`);
    await cookies.take(new URL('http://a.example/'), headers);
    expect(cookies.headerFor(new URL('http://a.example/'))?.split('; ')).to.have.lengthOf(100);
  });
});

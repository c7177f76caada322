import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

interface Parts {
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly unicode_hostname?: string;
  readonly port: number | null;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly fragment: string;
  readonly username: string;
  readonly has_password?: boolean;
}

describe('encode_url_parse', () => {
  const shared = sharedToolkit();

  const parse = (url: string): Promise<Parts> => shared.toolkit.execute('encode_url_parse', { url }) as unknown as Promise<Parts>;

  const urls = [
    'https://shop.example:8443/search?q=green+tea&tag=a&tag=b&empty=#top',
    'http://example.com/',
    'HTTP://EXAMPLE.com/a%20b/c;d?x=%C3%A4%26&x=&x=%2B',
    'https://user@example.com/?=v&k',
    'https://[2001:db8::1]:8080/a',
    'ftp://files.example/pub/?__proto__=1&constructor=2#a%20b',
    'ws://10.0.0.1:9000/socket',
  ];
  it('takes a URL apart as urlsplit and parse_qs of Python do', async () => {
    const prepare = [
      'from urllib.parse import urlsplit, parse_qs',
      'def parts(url):',
      '    p = urlsplit(url)',
      '    query = {k: v[0] if len(v) == 1 else v for k, v in parse_qs(p.query, keep_blank_values=True).items()}',
      '    host = "[" + p.hostname + "]" if ":" in p.hostname else p.hostname',
      '    return {"protocol": p.scheme, "hostname": host, "host": host + (f":{p.port}" if p.port else ""), "port": p.port,',
      '            "path": p.path, "query": query, "fragment": p.fragment, "username": p.username or ""}',
    ].join('\n');
    const expected = pythonValue<Parts[]>('[parts(url) for url in given]', urls, prepare);
    for (const [index, url] of urls.entries()) expect(await parse(url), url).to.deep.equal(expected[index]);
  });

  const cases = [
    {
      what: 'a host outside of ASCII',
      url: 'https://Bücher.Example:8080/ä b',
      parts: {
        host: 'xn--bcher-kva.example:8080',
        hostname: 'xn--bcher-kva.example',
        unicode_hostname: 'bücher.example',
        port: 8080,
        path: '/%C3%A4%20b',
      },
    },
    {
      what: 'a host in its xn-- form',
      url: 'http://xn--r8jz45g.jp',
      parts: { hostname: 'xn--r8jz45g.jp', unicode_hostname: '例え.jp', path: '/' },
    },
    { what: 'the usual port of a protocol', url: 'https://a.example:443/', parts: { host: 'a.example', port: null } },
    { what: 'a path with dots', url: 'https://a.example/a/./b/../c', parts: { path: '/a/c' } },
    { what: 'a user name with a percent sign', url: 'http://us%40er@a.example/', parts: { username: 'us@er' } },
    {
      what: 'mailto',
      url: 'mailto:a@b.example?subject=x%20y&cc=c@d.example',
      parts: { protocol: 'mailto', host: '', path: 'a@b.example', query: { subject: 'x y', cc: 'c@d.example' } },
    },
    {
      what: 'a data URL, all of whose data is its path',
      url: 'data:text/html;base64,SGk=?a=b',
      parts: { protocol: 'data', host: '', path: 'text/html;base64,SGk=?a=b', query: {} },
    },
    { what: 'a file', url: 'file:///etc/hosts', parts: { protocol: 'file', host: '', port: null, path: '/etc/hosts' } },
    {
      what: 'a protocol of its own',
      url: 'postgres://app@db.example:5432/shop',
      parts: { protocol: 'postgres', hostname: 'db.example', port: 5432, username: 'app', path: '/shop' },
    },
    {
      what: 'a data URL with a host, which no data have',
      url: 'data://a.example:8080/b?c=d#e',
      parts: { protocol: 'data', host: 'a.example:8080', port: 8080, path: '/b', query: { c: 'd' }, fragment: 'e' },
    },
    { what: 'a data URL with a path', url: 'data:/a?b', parts: { path: '/a', query: { b: '' } } },
    { what: 'a ^ in a path', url: 'https://a.example/a^b?c^d', parts: { path: '/a%5Eb', query: { 'c^d': '' } } },
    { what: 'a ^ in the path of another protocol', url: 'foo://a.example/^^', parts: { path: '/%5E%5E' } },
    { what: 'a ^ in a path that is only text', url: 'foo:a^b', parts: { path: 'a^b' } },
    { what: 'spaces in front of a query', url: 'foo:a b  ?c', parts: { path: 'a b %20', query: { c: '' } } },
    { what: 'spaces in front of a fragment', url: 'foo:a #c', parts: { path: 'a%20', fragment: 'c' } },
    { what: 'spaces at the end', url: 'foo:a  ', parts: { path: 'a' } },
    { what: 'a telephone number', url: 'tel:+4930901820', parts: { protocol: 'tel', path: '+4930901820' } },
  ];
  for (const { what, url, parts } of cases) {
    it(`takes apart ${what}`, async () => {
      expect(Object.entries(await parse(url))).to.deep.include.members(Object.entries(parts));
    });
  }

  it('leaves out what is not there', async () => {
    expect(await parse('https://a.example')).to.deep.equal({
      protocol: 'https',
      host: 'a.example',
      hostname: 'a.example',
      port: null,
      path: '/',
      query: {},
      fragment: '',
      username: '',
    });
  });

  it('gives query keys of any name as members of their own', async () => {
    const { query } = await parse('http://a.example/?__proto__=x&__proto__=y&toString=z');
    expect(Object.entries(query)).to.deep.equal([
      ['__proto__', ['x', 'y']],
      ['toString', 'z'],
    ]);
  });

  const secrets = [
    'https://app:s3cret@a.example/',
    'https://:s3cret@a.example/',
    'https://app:s3cr%65t%40s3cret@a.example/',
    'redis://app:s3cret@a.example:6379/0',
    'jdbc:postgresql://app:s3cret@a.example/db',
    'https://proxy.example/http://app:s3cret@a.example/x',
  ];
  for (const url of secrets) {
    it(`says that there is a password, and does not show it, in ${url}`, async () => {
      const parts = await parse(url);
      expect(parts).to.include({ has_password: true });
      expect(JSON.stringify(parts)).to.not.match(/s3cr/);
    });
  }

  const mistakes = [
    { url: 'example.com/path', says: 'received one without a protocol' },
    { url: '/relative?a=b', says: 'received one without a protocol' },
    { url: '//example.com/', says: 'received one without a protocol' },
    { url: 'localhost:3000/x', says: 'received one without a protocol' },
    { url: 'example.com:8080', says: 'received one without a protocol' },
    { url: 'https://', says: 'a host or port that cannot be' },
    { url: 'https://app:s3cret@exa mple.com/', says: 'a host or port that cannot be' },
    { url: 'https://app:s3cret@a.example:99999/', says: 'a host or port that cannot be' },
    { url: 'https://app:s3cret@a.example/\n', says: 'a line break or a tab at character 30' },
    { url: '', says: 'fewer than 1' },
  ];
  for (const { url, says } of mistakes) {
    it(`refuses ${JSON.stringify(url)} without repeating it`, async () => {
      const error = await rejection(parse(url), 'INVALID_PARAMETERS');
      expect(error.message).to.include('url').and.to.include(says).and.to.not.include('s3cret');
      expect(JSON.stringify(error.details)).to.not.include('s3cret');
    });
  }
});

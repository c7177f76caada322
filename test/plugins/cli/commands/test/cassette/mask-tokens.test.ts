import { expect } from 'chai';
import { maskTokens } from '../../../../../../plugins/cli/commands/test/cassette/mask-tokens.ts';

/** With characters that are written otherwise in a query, in JSON and in base64. */
const token = 'pl4nted/t0ken+of==a-login';

const names = ['authorization', 'Proxy-Authorization', 'cookie', 'Set-Cookie', 'x-api-key', 'access_token', 'refresh_token', 'id_token'];

/** All that a place may hold of the token. */
function spellings(text: string): readonly string[] {
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map(([found]) => Buffer.from(found, 'base64').toString('latin1'));
  return [text, decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25')), ...decoded];
}

const query = (name: string, value: string): string => new URLSearchParams({ [name]: value }).toString();

const places: Readonly<Record<string, (name: string) => unknown>> = {
  'a header': (name) => ({ headers: { [name]: token, accept: '*/*' } }),
  'a header with its scheme': (name) => ({ headers: { [name]: `Bearer ${token}` } }),
  'a header in capitals': (name) => ({ headers: { [name.toUpperCase()]: token } }),
  'a header with several values': (name) => ({ headers: { [name]: [`a=${token}; Path=/`, token] } }),
  'a member of JSON': (name) => ({ json: { ok: true, [name]: token } }),
  'a member deep in JSON': (name) => ({ json: { data: [{ session: { [name]: token } }] } }),
  'a member of a member': (name) => ({ json: { [name]: { scheme: 'Bearer', parameters: token } } }),
  'a member with a name in front': (name) => ({ json: { [`shop_${name}`]: token } }),
  'a member in camel case': (name) => ({
    json: { [name.toLowerCase().replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())]: token },
  }),
  'a field of a form': (name) => ({ form: { [name]: [token], grant: ['code'] } }),
  'a form that is a text': (name) => ({ text: `grant=code&${query(name, token)}` }),
  'a query': (name) => ({ url: `https://shop.example/items?a=1&${query(name, token)}#top` }),
  'a fragment': (name) => ({ headers: { location: `https://shop.example/#${query(name, token)}` } }),
  'a query inside a query': (name) => ({ url: `https://shop.example/?${query('next', `https://shop.example/?${query(name, token)}`)}` }),
  'JSON inside a query': (name) => ({ url: `https://shop.example/?${query('state', JSON.stringify({ [name]: token }))}` }),
  'JSON as a text': (name) => ({ text: `  {"ok": true, "${name}" : "${token}"}` }),
  'a text inside JSON': (name) => ({ json: { body: JSON.stringify({ [name]: token }) } }),
  'JSON inside JSON inside JSON': (name) => ({ json: { body: JSON.stringify({ inner: JSON.stringify({ [name]: token }) }) } }),
  'JSON inside JSON, cut off': (name) => ({ text: `{"body":${JSON.stringify(JSON.stringify({ [name]: token }))},` }),
  'JSON with numbers that are too long': (name) => ({ text: `{"id":12345678901234567890,"${name}":"${token}"}` }),
  'lines of JSON': (name) => ({ text: `{"a":1}\n{"${name}":"${token}"}\n` }),
  'a header line of a text': (name) => ({ text: `GET / HTTP/1.1\r\n${name}: ${token}\r\n\r\n` }),
  'an argument of curl': (name) => ({ args: ['-H', `${name}: ${token}`, 'https://shop.example'] }),
  'an argument after its flag': (name) => ({ args: ['login', `--${name.toLowerCase().replaceAll('_', '-')}`, token] }),
  'an argument with its flag': (name) => ({ args: ['login', `--${name.toLowerCase().replaceAll('_', '-')}=${token}`] }),
  'a raw list of headers': (name) => ({ rawHeaders: ['Accept', '*/*', name, token] }),
  'a pair of name and value': (name) => ({ headers: [{ name, value: token }] }),
  'a pair of key and value': (name) => ({ fields: [{ key: name, value: token }] }),
  XML: (name) => ({ text: `<r><a>1</a><s:${name}>${token}</s:${name}></r>` }),
  'an attribute of XML': (name) => ({ text: `<login ${name}="${token}" a="1"/>` }),
  'a multipart body': (name) => ({ text: `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${token}\r\n--b--` }),
  'bytes with a text among them': (name) => ({
    base64: Buffer.from(`\u00ff\u0000${JSON.stringify({ [name]: token })}`, 'latin1').toString('base64'),
  }),
  'standard output': (name) => ({ stdout: `logged in\n${name}=${token}\n` }),
  YAML: (name) => ({ text: `a: 1\n${name}: ${token}\n` }),
  'the answer of a function': (name) => ({ answer: { rows: [{ [name]: token }] } }),
};

describe('a cassette holds no token', () => {
  for (const [place, make] of Object.entries(places)) {
    it(`in ${place}, whatever its name`, () => {
      for (const name of names) {
        const found: string[] = [];
        const written = JSON.stringify(maskTokens(make(name), (_, value) => void found.push(value)));
        for (const text of spellings(written)) expect(text, name).to.not.include('pl4nted');
        expect(found, name).to.not.deep.equal([]);
      }
    });
  }

  it('behind its scheme, wherever it stands', () => {
    for (const scheme of ['Bearer', 'bearer', 'Basic'])
      expect(maskTokens({ note: `was called with ${scheme} ${token}` }, () => {})).to.deep.equal({
        note: `was called with ${scheme} [secret authorization]`,
      });
  });

  const kept: Readonly<Record<string, unknown>> = {
    'what is masked': {
      headers: { authorization: 'Bearer [secret SHOP_TOKEN]' },
      url: 'https://shop.example/?access_token=%5Bsecret%20SHOP_TOKEN%5D',
    },
    'what is open': { headers: { authorization: '*' }, json: { access_token: '*' } },
    'what has no value': { json: { access_token: null, refresh_token: '', requires_authorization: true } },
    'a schema': { properties: { access_token: { type: 'string', description: 'A token.' }, cookie: { $ref: '#/$defs/cookie' } } },
    'a list of names': { required: ['access_token', 'token_type', 'id_token'], scopes: ['cookie', 'profile'] },
    'words of a sentence': { text: 'The bearer authentication of this shop wants a cookie. Nothing else.' },
    'another name': { json: { page_token: 'abc12345', token_type: 'bearer', cookies_accepted: 'yes-all', author: 'ann1234567' } },
    'a text that looks like JSON': { text: '{ not json' },
    'the form of JSON': { text: '{ "a" : 1 }' },
  };
  for (const [what, value] of Object.entries(kept))
    it(`and keeps ${what} as it is`, () => expect(maskTokens(value, () => {})).to.equal(value));
});

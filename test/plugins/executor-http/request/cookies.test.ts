import { expect } from 'chai';
import { formatProblem } from '../../../../kernel/index.ts';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { authTool } from '../auth-tool.ts';
import { httpTool } from '../http-tool.ts';
import { writtenIn } from './styles/rendered.ts';

async function sentBy(
  execution: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<SeenRequest> {
  const { url, requests } = await loopback((_, response) => json(response, {}));
  const call = await httpTool({ execution: { ...execution, url }, env });
  await call(values);
  const [request] = requests;
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

const env = { SESSION_TOKEN: 'abc/+=:def' };
const sessionCookie = { type: 'cookie', name: 'session', value: '{SESSION_TOKEN}' };

describe('executor-http: cookies', () => {
  it('are one header, behind those of a header Cookie, with that of the authentication at the end', async () => {
    const execution = {
      headers: { cookie: 'theme=dark; lang={lang}' },
      cookies: { id: '{id}', n: 7, gone: '{none}', tags: '{tags}', ids: { value: '{tags}', style: 'form', explode: false } },
      auth: sessionCookie,
    };
    const { headers } = await sentBy(execution, { lang: 'de', id: 'a b', tags: ['x', 'y'] }, env);
    expect(headers.cookie).to.equal('theme=dark; lang=de; id=a%20b; n=7; tags=x; tags=y; ids=x,y; session=abc/+=:def');
  });

  it('are no header where none has a value', async () => {
    expect((await sentBy({ cookies: { id: '{id}' } })).headers).to.not.have.property('cookie');
  });

  it('keep integers beyond 2^53', async () => {
    const { url, requests } = await loopback((_, response) => json(response, {}));
    const cookies = { id: '{id}', ids: { value: '{ids}', explode: false } };
    const call = await httpTool({
      execution: { url, cookies },
      parameters: { id: { type: 'integer' }, ids: { type: 'array', items: { type: 'integer' } } },
    });
    await call({ id: '9007199254740993', ids: ['9007199254740995', 1] });
    expect(requests[0]?.headers.cookie).to.equal('id=9007199254740993; ids=9007199254740995,1');
  });

  const breaking = ['a; admin=1', 'a, b', 'a\r\nX-Admin: 1', 'a\0b', '"a', 'é漢🚀', 'a\\b', 'a b', '\ud800', '__proto__', '%3B'];
  for (const value of breaking) {
    it(`cannot be broken out of by ${JSON.stringify(value)}`, async () => {
      for (const allow_reserved of [false, true])
        for (const [style, given] of [
          [{ explode: true }, value],
          [{ explode: true }, [value]],
          [{ explode: false }, [value]],
          [{ explode: false }, { color: value }],
          [{ explode: true }, { color: value }],
          [{ explode: true }, { [`k${value}`]: 'v' }],
        ] as const) {
          const written = await writtenIn('cookie', { ...style, allow_reserved }, given);
          expect(written).to.match(/^[^=;\s"\\,]+=[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e,]*$/);
          expect(decodeURIComponent(written ?? '')).to.include(value.toWellFormed());
        }
    });
  }

  for (const name of ['session', 'other', 'theme'])
    it(`of an object do not replace the cookie ${name} of the tool`, async () => {
      const cookies = { options: { value: '{options}' }, other: '1' };
      const sent = sentBy({ cookies, headers: { Cookie: 'theme=dark' }, auth: sessionCookie }, { options: { [name]: 'mine' } }, env);
      expect((await rejection(sent, 'INVALID_PARAMETERS')).message).to.include(`members other than "${name}"`);
    });

  it('of an authentication are sent as they are, in quotes too', async () => {
    for (const token of ['a%3Bb', '"quoted"', 'x'])
      expect((await sentBy({ auth: sessionCookie }, {}, { SESSION_TOKEN: token })).headers.cookie).to.equal(`session=${token}`);
  });

  for (const token of ['a; admin=1', 'a\r\nX: 1', 'a,b', 'a b', 'é', '"a', 'a\\b', '\ud800', 'a\u0085'])
    it(`of an authentication are refused with ${JSON.stringify(token)}, which is not shown`, async () => {
      const error = await rejection(sentBy({ auth: sessionCookie }, {}, { SESSION_TOKEN: token }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('SESSION_TOKEN').and.to.not.include(token);
    });

  it('of an authentication without a value are left out, and any_of takes the next', async () => {
    const { url, requests } = await loopback((_, response) => json(response, {}));
    const any_of = [
      { type: 'cookie', name: 'sid', value: '{OPTIONAL_KEY}' },
      { type: 'cookie', name: 'sid', value: '{SHOP_TOKEN}' },
    ];
    const { call } = await authTool({ execution: { url, auth: { any_of } } });
    await call();
    expect(requests[0]?.headers.cookie).to.equal('sid=token-0123456789');
  });

  it('with a credential are not sent on to another origin, and stay hidden in an answer', async () => {
    const other = await loopback(({ headers }, response) => json(response, headers));
    const first = await loopback((_, response) => void response.writeHead(302, { location: other.url }).end());
    const call = await httpTool({
      execution: { url: first.url, cookies: { sid: '{SESSION_TOKEN}', a: '1' } },
      allow: ['127.0.0.1'],
      env: { SESSION_TOKEN: 'abc/+=:def' },
    });
    await call();
    expect(first.requests[0]?.headers.cookie).to.equal('sid=abc%2F%2B%3D%3Adef; a=1');
    expect(other.requests[0]?.headers).to.not.have.property('cookie');
    const echo = await loopback(({ headers }, response) => json(response, { seen: headers.cookie }));
    const echoing = await httpTool({
      execution: { url: echo.url, cookies: { sid: '{SESSION_TOKEN}' } },
      env: { SESSION_TOKEN: 'abc/+=:def' },
    });
    expect(JSON.stringify((await echoing()).output))
      .to.include('[secret SESSION_TOKEN]')
      .and.to.not.include('def');
  });

  const wrong: readonly (readonly [what: string, keys: object, place: string, says: string])[] = [
    ['a name with a blank', { cookies: { 'a b': '{id}' } }, 'cookies.a b', 'is not a cookie name'],
    ['a name from a caller', { cookies: { '{id}': '1' } }, 'cookies.{id}', 'is not a cookie name'],
    ['an object that is no description', { cookies: { id: { a: '{id}' } } }, 'cookies.id', 'expected a text'],
    ['another key', { cookies: { id: { value: '{id}', explod: true, style: 'form' } } }, 'cookies.id', 'Did you mean "explode"?'],
    ['a style of queries', { cookies: { id: { value: '{id}', style: 'deepObject' } } }, 'cookies.id.style', 'form'],
    [
      'the cookie of the authentication',
      { cookies: { sid: '{id}' }, auth: { type: 'cookie', name: 'sid', value: '{SHOP_TOKEN}' } },
      'cookies.sid',
      '"auth" as well',
    ],
    ['a name of the authentication', { auth: { type: 'cookie', name: 'a;b', value: '{SHOP_TOKEN}' } }, 'auth.name', 'a;b'],
    ['no parameter', { cookies: { id: { value: '{idd}', explode: false } } }, 'execution', '{idd}'],
  ];
  for (const [what, keys, place, says] of wrong)
    it(`are refused with ${what}`, async () => {
      const { problems } = await authTool({ execution: { url: 'https://shop.example/', ...keys }, parameters: { id: { type: 'string' } } });
      expect(problems.map((problem) => `${problem.path}: ${formatProblem(problem)}`).join('\n'))
        .to.include(place)
        .and.to.include(says);
    });
});

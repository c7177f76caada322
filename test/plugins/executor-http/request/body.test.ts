import { expect } from 'chai';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import { httpTool } from '../http-tool.ts';

const names = ['a', 'b', 'list', 'object', 'text', 'n', 'flag'];

async function sentBody(execution: Readonly<Record<string, unknown>>, values: Readonly<Record<string, unknown>>): Promise<SeenRequest> {
  const { url, requests } = await loopback((_request, response) => json(response, {}));
  const parameters = Object.fromEntries(names.map((name) => [name, {}]));
  const call = await httpTool({ execution: { method: 'post', url, ...execution }, parameters });
  await call(values);
  const [request] = requests;
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

describe('executor-http: body', () => {
  const maps = [
    {
      what: 'values of their own types',
      body: { a: '{a}', list: '{list}', object: '{object}', n: '{n}', flag: '{flag}' },
      values: { a: 'x', list: [1, 'two', null], object: { deep: { er: [true] } }, n: 1.5, flag: false },
      sent: { a: 'x', list: [1, 'two', null], object: { deep: { er: [true] } }, n: 1.5, flag: false },
    },
    {
      what: 'nested templates',
      body: { outer: { inner: ['{a}', { b: '{b}' }], fixed: 3 }, message: 'Hello {a}, {n} times {object}' },
      values: { a: 'Ada', b: [1], n: 2, object: { k: 'v' } },
      sent: { outer: { inner: ['Ada', { b: [1] }], fixed: 3 }, message: 'Hello Ada, 2 times {"k":"v"}' },
    },
    {
      what: 'no key whose placeholder was not given',
      body: { a: '{a}', b: 'x {b}', inner: { n: '{n}' }, list: ['{a}', '{b}', 'z'] },
      values: { a: 'kept' },
      sent: { a: 'kept', inner: {}, list: ['kept', 'z'] },
    },
    { what: 'null where null was given', body: { a: '{a}' }, values: { a: null }, sent: { a: null } },
    { what: 'text that looks like JSON as text', body: { a: '{a}' }, values: { a: '{"admin":true}' }, sent: { a: '{"admin":true}' } },
    {
      what: 'braces that came with a value as they are',
      body: { a: '{a}' },
      values: { a: '{b} {{n}}', b: 'no', n: 1 },
      sent: { a: '{b} {{n}}' },
    },
    { what: 'a list', body: ['{a}', { b: '{b}' }], values: { a: 1, b: 2 }, sent: [1, { b: 2 }] },
    { what: 'an object that is the whole body', body: '{object}', values: { object: { x: [1] } }, sent: { x: [1] } },
  ];
  for (const { what, body, values, sent } of maps) {
    it(`sends ${what}, as JSON`, async () => {
      const request = await sentBody({ body }, values);
      expect(JSON.parse(request.body)).to.deep.equal(sent);
      expect(request.headers['content-type']).to.equal('application/json');
    });
  }

  it('sends compact JSON in UTF-8', async () => {
    const request = await sentBody({ body: { text: '{text}', n: 1 } }, { text: 'Grüße 🚀' });
    expect(request.body).to.equal('{"text":"Grüße 🚀","n":1}');
    expect(request.headers['content-length']).to.equal(String(Buffer.byteLength(request.body)));
  });

  it('keeps the content type that the definition declares', async () => {
    const request = await sentBody({ body: { op: '{a}' }, headers: { 'Content-Type': 'application/merge-patch+json' } }, { a: 1 });
    expect(request.headers['content-type']).to.equal('application/merge-patch+json');
    expect(request.body).to.equal('{"op":1}');
  });

  const nasty = ['", "admin": true, "x": "', '\\', '\\", "admin": "1', 'line\nbreak\u0000', '{a}', '{{n}}', '}]', '東京 "quoted"'];
  for (const value of nasty) {
    it(`cannot be broken out of in a JSON text by ${JSON.stringify(value)}`, async () => {
      const request = await sentBody(
        { body: '{"query": "say {text}", "variables": {"text": {text}}, "all": [{text}]}' },
        { text: value, a: 'no', n: 'no' },
      );
      expect(JSON.parse(request.body)).to.deep.equal({ query: `say ${value}`, variables: { text: value }, all: [value] });
      expect(request.headers['content-type']).to.equal('application/json');
    });
  }

  it('puts values of every type into a JSON text', async () => {
    const request = await sentBody(
      { body: '{"o": {object}, "l": {list}, "n": {n}, "flag": {flag}, "escaped \\" {n}": "{object}", "literal": "{{n}}"}' },
      { object: { k: '"' }, list: [1, 'x'], n: 5, flag: true },
    );
    expect(JSON.parse(request.body)).to.deep.equal({
      o: { k: '"' },
      l: [1, 'x'],
      n: 5,
      flag: true,
      'escaped " 5': '{"k":"\\""}',
      literal: '{n}',
    });
  });

  const texts = [
    { what: 'plain text', body: 'Hello {a}!', values: { a: '"Ada"' }, sent: 'Hello "Ada"!', type: 'text/plain; charset=utf-8' },
    {
      what: 'text that begins with a placeholder',
      body: '{a} said {b}',
      values: { a: 'Ada', b: '"hi"' },
      sent: 'Ada said "hi"',
      type: 'text/plain; charset=utf-8',
    },
    {
      what: 'text that begins with a bracket',
      body: '[{a}] {b}',
      values: { a: 'INFO', b: 'x' },
      sent: '[INFO] x',
      type: 'text/plain; charset=utf-8',
    },
    { what: 'one text as it is', body: '{text}', values: { text: 'raw "text"' }, sent: 'raw "text"', type: 'text/plain; charset=utf-8' },
    { what: 'one number as JSON', body: '{n}', values: { n: 5 }, sent: '5', type: 'application/json' },
    {
      what: 'declared JSON text as it is',
      body: '{text}',
      declared: 'application/json',
      values: { text: '{"a":1}' },
      sent: '{"a":1}',
      type: 'application/json',
    },
    {
      what: 'declared XML with escaped values',
      body: '<a b="{a}">{b}</a>',
      declared: 'application/xml',
      values: { a: '"><x y="', b: '</a>&' },
      sent: '<a b="&#34;&#62;&#60;x y=&#34;">&#60;/a&#62;&#38;</a>',
      type: 'application/xml',
    },
    {
      what: 'a declared form text with encoded values',
      body: 'a={a}&b=1',
      declared: 'application/x-www-form-urlencoded',
      values: { a: 'x&b=2 %' },
      sent: 'a=x%26b%3D2%20%25&b=1',
      type: 'application/x-www-form-urlencoded',
    },
  ];
  for (const { what, body, declared, values, sent, type } of texts) {
    it(`sends ${what}`, async () => {
      const request = await sentBody({ body, ...(declared === undefined ? {} : { headers: { 'content-type': declared } }) }, values);
      expect({ body: request.body, type: request.headers['content-type'] }).to.deep.equal({ body: sent, type });
    });
  }

  it('sends neither body nor content type when the one placeholder of a text was not given', async () => {
    for (const body of ['{text}', 'Hello {text}', '{"a": "{text}"}']) {
      const request = await sentBody({ body }, {});
      expect(request.body).to.equal('');
      expect(request.headers).to.not.have.property('content-type');
    }
  });

  const forms = [
    { what: 'text', form: { a: '{a}' }, values: { a: 'x&admin=1 é' }, pairs: [['a', 'x&admin=1 é']] },
    {
      what: 'a list as a repeated name',
      form: { Url: '{list}' },
      values: { list: ['u1', 'u2'] },
      pairs: [
        ['Url', 'u1'],
        ['Url', 'u2'],
      ],
    },
    { what: 'an object as JSON', form: { o: '{object}' }, values: { object: { k: [1] } }, pairs: [['o', '{"k":[1]}']] },
    {
      what: 'booleans and numbers',
      form: { flag: '{flag}', n: '{n}' },
      values: { flag: false, n: 0 },
      pairs: [
        ['flag', 'false'],
        ['n', '0'],
      ],
    },
    { what: 'only what was given', form: { a: '{a}', b: '{b}', text: 'x {text}' }, values: { b: '' }, pairs: [['b', '']] },
    { what: 'braces that came with a value as they are', form: { a: '{a}' }, values: { a: '{b}', b: 'no' }, pairs: [['a', '{b}']] },
  ];
  for (const { what, form, values, pairs } of forms) {
    it(`sends a form with ${what}`, async () => {
      const request = await sentBody({ form }, values);
      expect([...new URLSearchParams(request.body)]).to.deep.equal(pairs);
      expect(request.headers['content-type']).to.equal('application/x-www-form-urlencoded');
    });

    it(`sends a body that is declared urlencoded with ${what}`, async () => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
      const request = await sentBody({ body: form, headers }, values);
      expect([...new URLSearchParams(request.body)]).to.deep.equal(pairs);
      expect(request.headers['content-type']).to.equal(headers['Content-Type']);
    });
  }

  it('sends an object that is the whole body as a form where that is declared', async () => {
    const request = await sentBody(
      { body: '{object}', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      { object: { a: 'b c' } },
    );
    expect(request.body).to.equal('a=b+c');
  });

  for (const method of ['post', 'put', 'patch', 'delete', 'options']) {
    it(`sends a body with ${method}`, async () => {
      const request = await sentBody({ method, body: { a: '{a}' } }, { a: 1 });
      expect({ method: request.method, body: request.body }).to.deep.equal({ method: method.toUpperCase(), body: '{"a":1}' });
    });
  }

  it('sends no body with a method that declares none', async () => {
    const request = await sentBody({ method: 'delete' }, {});
    expect(request.body).to.equal('');
    expect(request.headers).to.not.have.property('content-type');
  });
});

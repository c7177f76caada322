import { expect } from 'chai';
import type { OutboundFetch } from '../../../../../../kernel/index.ts';
import { matches } from '../../../../../../plugins/cli/commands/test/cassette/compare.ts';
import { httpRequest } from '../../../../../../plugins/cli/commands/test/seams/http.ts';

const unreached: OutboundFetch = async () => {
  throw new Error('nothing is asked');
};

const url = 'https://shop.example/items';

async function requestOf(...given: Parameters<OutboundFetch>): Promise<unknown> {
  return (await httpRequest(unreached, ...given)).request;
}

function upload(name: string): FormData {
  const form = new FormData();
  form.set('file', new Blob(['content']), name);
  return form;
}

const post = (body: string, type: string): RequestInit => ({ method: 'POST', body, headers: { 'content-type': type } });

const same: readonly (readonly [what: string, one: Parameters<OutboundFetch>, other: Parameters<OutboundFetch>])[] = [
  ['the order of the query', [`${url}?a=1&b=2`], [`${url}?b=2&a=1`]],
  [
    'the order of keys in JSON',
    [url, post('{"a":1,"b":{"c":2,"d":3}}', 'application/json')],
    [url, post('{"b":{"d":3,"c":2}, "a":1}', 'application/json')],
  ],
  [
    'the order of names in a form',
    [url, post('a=1&b=2', 'application/x-www-form-urlencoded')],
    [url, post('b=2&a=1', 'application/x-www-form-urlencoded')],
  ],
  ['the boundary of a multipart body', [url, { method: 'POST', body: upload('a.txt') }], [url, { method: 'POST', body: upload('a.txt') }]],
  ['the case of header names', [url, { headers: { 'X-Shop': '1' } }], [url, { headers: { 'x-shop': '1' } }]],
  ['who says that it asks', [url, { headers: { 'User-Agent': 'a' } }], [url, { headers: { 'User-Agent': 'b' } }]],
  ['whether a Request or an address is given', [new Request(url, { method: 'PUT', body: 'a' })], [url, { method: 'PUT', body: 'a' }]],
];

const different: typeof same = [
  ['the method', [url], [url, { method: 'DELETE' }]],
  ['a value of the query', [`${url}?a=1`], [`${url}?a=2`]],
  ['the order of values of one name', [`${url}?a=1&a=2`], [`${url}?a=2&a=1`]],
  ['a header of the tool', [url, { headers: { 'x-shop': '1' } }], [url, { headers: { 'x-shop': '2' } }]],
  ['the type of a value in JSON', [url, post('{"a":1}', 'application/json')], [url, post('{"a":"1"}', 'application/json')]],
  [
    'digits that a number cannot hold',
    [url, post('{"a":12345678901234567890}', 'application/json')],
    [url, post('{"a":12345678901234567891}', 'application/json')],
  ],
  ['the name of an uploaded file', [url, { method: 'POST', body: upload('a.txt') }], [url, { method: 'POST', body: upload('b.txt') }]],
];

describe('a request over HTTP in a cassette', () => {
  for (const [what, one, other] of same)
    it(`does not depend on ${what}`, async () => expect(matches(await requestOf(...one), await requestOf(...other))).to.equal(true));

  for (const [what, one, other] of different)
    it(`depends on ${what}`, async () => expect(matches(await requestOf(...one), await requestOf(...other))).to.equal(false));
});

const answers: readonly (readonly [what: string, body: BodyOf, type: string, status?: number])[] = [
  ['JSON', '{"a": [1, "ä"]}', 'application/json'],
  ['JSON with large numbers', '{"id":12345678901234567890}', 'application/json'],
  ['what only says that it is JSON', '{"a":', 'application/json'],
  ['text', 'Grüße\r\n', 'text/plain'],
  ['bytes', Buffer.from([0xff, 0xd8, 0x00]), 'image/jpeg'],
  ['an error', '{"message":"no"}', 'application/json', 404],
];

type BodyOf = string | Buffer<ArrayBuffer>;

describe('an answer over HTTP in a cassette', () => {
  for (const [what, body, type, status = 200] of answers) {
    it(`is given again as it was, of ${what}`, async () => {
      const headers = { 'content-type': type, 'x-rate-left': '3', 'set-cookie': 'session=secret' };
      const asked = await httpRequest(async () => new Response(body, { status, headers }), url);
      const { answer, response } = await asked.toRecorded(await asked.send());
      const kept = JSON.parse(JSON.stringify(response)) as typeof response;
      expect(JSON.stringify(kept)).to.not.include('secret');
      const again = asked.fromRecorded(kept);
      expect([again.status, again.url, Object.fromEntries(again.headers)]).to.deep.equal([
        status,
        url,
        { 'content-type': type, 'x-rate-left': '3' },
      ]);
      const first = Buffer.from(await answer.arrayBuffer());
      const second = Buffer.from(await again.arrayBuffer());
      if (what === 'JSON') expect(JSON.parse(second.toString())).to.deep.equal(JSON.parse(first.toString()));
      else expect(second).to.deep.equal(first);
    });
  }

  it('is empty where its status has no body', async () => {
    const asked = await httpRequest(async () => new Response(null, { status: 204 }), url, { method: 'DELETE' });
    const { response } = await asked.toRecorded(await asked.send());
    expect(response).to.deep.equal({ status: 204, headers: {} });
    expect(await asked.fromRecorded(response).text()).to.equal('');
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { apiVersion, definePlugin } from '../../../../../../kernel/index.ts';
import { get, post } from '../../../support/route-server.ts';
import { type Outgoing, send, token, type WireOptions, wireServer } from '../../../support/wire.ts';

const ada = { name: 'ada', token: 'the-token-of-ada' };
const operator = { name: 'watch', token: 'the-token-of-the-operator', operator: true };

const bearing = (value: string): Outgoing['headers'] => ({ authorization: `Bearer ${value}` });

/** A server with a page for operators, and a count of how often it was asked for. */
async function serving(options: WireOptions = {}) {
  const handle = sinon.stub().returns({ status: 200, body: 'for operators' });
  const pages = definePlugin({
    name: 'pages',
    apiVersion,
    apply: ({ extend }) => void extend.httpRoute({ path: '/numbers', methods: ['GET', 'POST'], access: 'operator', handle }),
  })();
  const refusals = sinon.spy();
  const listener = definePlugin({ name: 'refusals', apiVersion, apply: ({ extend }) => extend.refusals(refusals) })();
  return { ...(await wireServer({ more: [pages, listener], ...options })), handle, refusals };
}

describe('a page for operators', () => {
  it('opens with the single token of a server', async () => {
    const { port } = await serving();
    expect(await get(port, '/numbers', bearing(token))).to.include({ status: 200, body: 'for operators' });
  });

  it('opens with the token that is an operator’s, of several', async () => {
    const { port } = await serving({ tokens: [ada, operator] });
    expect((await get(port, '/numbers', bearing(operator.token))).status).to.equal(200);
  });

  const refused: readonly (readonly [
    what: string,
    status: number,
    headers: Outgoing['headers'],
    challenge: string | undefined,
    reason: string,
  ])[] = [
    ['no token', 401, {}, 'Bearer', 'token'],
    ['a token that is none', 401, bearing('a-guess'), 'Bearer error="invalid_token"', 'token'],
    ['the token of a caller', 403, bearing(ada.token), undefined, 'scope'],
    ['a foreign Host and the token of an operator', 403, { ...bearing(operator.token), host: 'evil.example' }, undefined, 'host'],
  ];
  for (const [what, status, headers, challenge, reason] of refused)
    it(`is not asked for by ${what}: ${status}, as on /mcp, and reported`, async () => {
      const { port, handle, refusals } = await serving({ tokens: [ada, operator] });
      const answer = await get(port, '/numbers', headers);
      expect(answer).to.include({ status });
      expect(answer.headers).to.include({ 'content-type': 'application/json' });
      expect(answer.headers['www-authenticate']).to.equal(challenge);
      // No number: an answer of the server.
      expect(JSON.parse(answer.body)).to.include({ jsonrpc: '2.0', id: null }).and.have.nested.property('error.message');
      expect(handle.callCount).to.equal(0);
      expect(refusals.args.map(([refusal]) => [refusal.reason, refusal.status])).to.deep.equal([[reason, status]]);
      if (status === 401) {
        const onMcp = await send(port, { body: '{}', headers: { authorization: undefined, ...headers } });
        expect(onMcp).to.include({ status, body: answer.body });
        expect(onMcp.headers['www-authenticate']).to.equal(challenge);
      }
    });

  it('does not have the body of a request read without its token', async () => {
    const { port, handle } = await serving();
    const largest = 'a'.repeat(64 * 1024 + 1);
    expect((await post(port, '/numbers', largest)).status).to.equal(401);
    expect((await post(port, '/numbers', largest, bearing(token))).status).to.equal(413);
    expect(handle.callCount).to.equal(0);
  });

  it('leaves the pages for anyone as they are', async () => {
    const open = definePlugin({
      name: 'open',
      apiVersion,
      apply: ({ extend }) => void extend.httpRoute({ path: '/open', access: 'anyone', handle: () => ({ status: 200, body: 'open' }) }),
    })();
    const { port } = await wireServer({ more: [open] });
    expect((await get(port, '/open')).body).to.equal('open');
  });
});

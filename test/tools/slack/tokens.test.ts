import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { answering, botToken, calls, channel, ts, userToken } from './slack-toolkit.ts';

const found = { ok: true, query: 'x', messages: { total: 0, matches: [] } };
const posted = { ok: true, channel, ts, message: { ts } };

describe('@toolkit/slack: tokens', () => {
  it('are one for the search and another one for everything else, and neither is a parameter', async () => {
    const { toolkit } = await answering(found);
    const tools = toolkit.listTools().filter(({ provider }) => provider?.name === 'slack');
    expect(tools.map(({ name }) => name)).to.have.members(Object.keys(calls));
    for (const { name, credentials, inputSchema } of tools) {
      const token = name === 'slack_search_messages' ? 'SLACK_USER_TOKEN' : 'SLACK_BOT_TOKEN';
      expect(
        credentials.map((need) => [need.name, need.required, need.isSecret]),
        name,
      ).to.deep.equal([[token, true, true]]);
      expect(JSON.stringify(inputSchema), name).to.not.include('TOKEN');
    }
  });

  it('of people are not needed to write', async () => {
    const { toolkit, requests } = await answering(posted, { env: { SLACK_BOT_TOKEN: botToken } });
    await toolkit.execute('slack_send_channel_message', { channel, text: 'x' });
    expect(requests[0]?.headers.authorization).to.equal(`Bearer ${botToken}`);
  });

  it('of bots are not needed to search', async () => {
    const { toolkit, requests } = await answering(found, { env: { SLACK_USER_TOKEN: userToken } });
    await toolkit.execute('slack_search_messages', { query: 'x' });
    expect(requests[0]?.headers.authorization).to.equal(`Bearer ${userToken}`);
  });

  const injections = ['xoxb-1\r\nX-Evil: 1', 'xoxb-1\nHost: evil.example'];
  for (const token of injections) {
    it(`cannot add a header: ${JSON.stringify(token)}`, async () => {
      const { toolkit, requests } = await answering(posted, { env: { SLACK_BOT_TOKEN: token } });
      const error = await rejection(toolkit.execute('slack_send_channel_message', { channel, text: 'x' }), 'INVALID_PARAMETERS');
      expect(error.message).to.not.include('vil');
      expect(requests).to.deep.equal([]);
    });
  }
});

describe('@toolkit/slack: requests', () => {
  it('send what was given and nothing else, and bodies with their character set', async () => {
    const { toolkit, requests } = await answering({ ok: false, error: 'internal_error' });
    for (const [name, parameters] of Object.entries(calls)) {
      await rejection(toolkit.execute(name, parameters), 'UPSTREAM_UNAVAILABLE');
      const { method, url, headers, body } = requests.at(-1) ?? { method: '', url: '', headers: {}, body: '' };
      const query = [...new URL(url, 'http://127.0.0.1').searchParams.values()];
      expect(body === '' ? query : Object.values(JSON.parse(body) as object), name).to.have.members(Object.values(parameters));
      expect(headers['content-type'], name).to.equal(method === 'POST' ? 'application/json; charset=utf-8' : undefined);
    }
  });
});

import { expect } from 'chai';
import { metaKeys } from '../../../../../plugins/mcp/protocol/clients/envelope.ts';
import { testKernel } from '../../../../support/test-kernel.ts';
import { ModernClient, modernVersion, saysModern } from '../../support/modern-client.ts';

const { version, capabilities, client, logLevel } = metaKeys;

/** Members of `_meta` that differ from a good request; undefined leaves one out. */
type Change = Readonly<Record<string, unknown>>;

const refused: readonly { readonly what: string; readonly change: Change; readonly code?: number; readonly says: string }[] = [
  { what: 'a version that is a number', change: { [version]: 20260728 }, says: 'protocolVersion: expected a text, received' },
  { what: 'no version but null', change: { [version]: null }, says: 'protocolVersion: expected a text' },
  { what: 'a version that is a list', change: { [version]: [modernVersion] }, says: 'protocolVersion: expected a text' },
  { what: 'an unknown version', change: { [version]: '2099-01-01' }, code: -32022, says: 'Expected one of 2026-07-28' },
  { what: 'an empty version', change: { [version]: '' }, code: -32022, says: 'Expected one of 2026-07-28' },
  { what: 'a version with a blank', change: { [version]: `${modernVersion} ` }, code: -32022, says: 'Expected one of 2026-07-28' },
  { what: 'a version of sessions', change: { [version]: '2025-11-25' }, code: -32022, says: 'Expected one of 2026-07-28' },
  { what: 'no capabilities', change: { [capabilities]: undefined }, says: 'clientCapabilities: expected an object of objects' },
  { what: 'capabilities that are a list', change: { [capabilities]: [] }, says: 'clientCapabilities: expected an object of objects' },
  { what: 'capabilities that are a text', change: { [capabilities]: 'all' }, says: 'clientCapabilities: expected an object of objects' },
  { what: 'capabilities that are null', change: { [capabilities]: null }, says: 'clientCapabilities: expected an object of objects' },
  { what: 'a client without a version', change: { [client]: { name: 'a' } }, says: 'clientInfo: expected an object with "name"' },
  { what: 'a client without a name', change: { [client]: { version: '1' } }, says: 'clientInfo: expected an object with "name"' },
  { what: 'a client that is a text', change: { [client]: 'a' }, says: 'clientInfo: expected an object with "name"' },
  { what: 'a client that is null', change: { [client]: null }, says: 'clientInfo: expected an object with "name"' },
  { what: 'an unknown level of the log', change: { [logLevel]: 'loud' }, says: 'logLevel: expected one of debug, info' },
  { what: 'a level of the log in capitals', change: { [logLevel]: 'INFO' }, says: 'logLevel: expected one of debug, info' },
  { what: 'a level of the log that is a number', change: { [logLevel]: 6 }, says: 'logLevel: expected one of debug, info' },
  {
    what: 'several things wrong at once',
    change: { [capabilities]: 1, [client]: 1, [logLevel]: 1 },
    says: 'clientCapabilities: expected an object of objects, received number 1; io.modelcontextprotocol/clientInfo',
  },
];

const taken: readonly { readonly what: string; readonly change: Change }[] = [
  { what: 'no client', change: { [client]: undefined } },
  { what: 'capabilities that nobody knows', change: { [capabilities]: { telepathy: { range: 3 } } } },
  { what: 'members that nobody knows', change: { 'example.com/other': [1], '': null } },
  {
    what: 'a client that says more of itself',
    change: { [client]: { name: 'a', version: '1', title: 'A', websiteUrl: 'https://a.example' } },
  },
  ...['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'].map((level) => ({
    what: `the level "${level}" of the log`,
    change: { [logLevel]: level },
  })),
];

describe('what a request of 2026-07-28 says of its client', () => {
  for (const { what, change, code = -32602, says } of refused) {
    it(`is refused with ${code} for ${what}`, async () => {
      const asking = await ModernClient.connect(await testKernel());
      const { message, data } = await asking.refusal(code, 'tools/list', { _meta: change });
      expect(message).to.include(says);
      expect(data).to.deep.equal(code === -32022 ? { supported: [modernVersion], requested: change[version] } : undefined);
    });
  }

  for (const { what, change } of taken) {
    it(`may hold ${what}`, async () => {
      const asking = await ModernClient.connect(await testKernel());
      expect(await asking.result('tools/list', { _meta: change })).to.include({ resultType: 'complete' });
    });
  }

  it('is looked at in every method, also in one that there is not', async () => {
    const asking = await ModernClient.connect(await testKernel());
    for (const method of ['server/discover', 'tools/call', 'prompts/get', 'resources/read', 'subscriptions/listen', 'no/such'])
      await asking.refusal(-32602, method, { _meta: { [capabilities]: undefined } });
  });

  it('counts for its request alone', async () => {
    const asking = await ModernClient.connect(await testKernel());
    await asking.result('tools/list');
    asking.send({ id: 'bare', method: 'tools/list', params: { _meta: { ...saysModern(), [capabilities]: undefined } } });
    expect((await asking.answer('bare')).error?.code).to.equal(-32602);
  });

  it('is quoted in part where it is long', async () => {
    const asking = await ModernClient.connect(await testKernel());
    const { message } = await asking.refusal(-32022, 'tools/list', { _meta: { [version]: 'x'.repeat(100_000) } });
    expect(message.length).to.be.lessThan(300);
  });
});

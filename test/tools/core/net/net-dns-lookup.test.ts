import dns from 'node:dns';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Zone } from '../../../../fixtures/servers/dns.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { namesServer, noNamesServer } from './names-server.ts';

const { sharedCoreToolkit } = coreGroup('net');

async function lookUp(parameters: Readonly<Record<string, unknown>>, allowHosts: readonly string[] = []): Promise<readonly unknown[]> {
  const toolkit = await sharedCoreToolkit({ allowHosts: [...allowHosts] });
  return ((await toolkit.execute('net_dns_lookup', parameters)) as { records: readonly unknown[] }).records;
}

const google = [0x20, 0x01, 0x48, 0x60, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x88];
const reverseGoogle = '8.8.8.8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.6.8.4.0.6.8.4.1.0.0.2.ip6.arpa';

describe('net_dns_lookup', () => {
  afterEach(() => sinon.restore());

  const cases: readonly { type?: string; name: string; zone: Zone; records: readonly unknown[] }[] = [
    {
      name: 'shop.example',
      zone: { 'shop.example A': { records: [{ address: [93, 184, 215, 14] }, { address: [10, 1, 2, 3] }] } },
      records: [
        { address: '93.184.215.14', ttl: 300 },
        { address: '10.1.2.3', ttl: 300 },
      ],
    },
    {
      type: 'AAAA',
      name: 'shop.example',
      zone: { 'shop.example AAAA': { records: [{ address: google }] } },
      records: [{ address: '2001:4860:4860::8888', ttl: 300 }],
    },
    {
      type: 'CNAME',
      name: 'www.shop.example',
      zone: { 'www.shop.example CNAME': { records: [{ name: 'shop.example' }] } },
      records: [{ name: 'shop.example' }],
    },
    {
      type: 'MX',
      name: 'shop.example',
      zone: {
        'shop.example MX': {
          records: [
            { priority: 20, exchange: 'b.mail.example' },
            { priority: 5, exchange: 'a.mail.example' },
          ],
        },
      },
      records: [
        { exchange: 'a.mail.example', priority: 5 },
        { exchange: 'b.mail.example', priority: 20 },
      ],
    },
    {
      type: 'NS',
      name: 'shop.example',
      zone: { 'shop.example NS': { records: [{ name: 'ns1.example' }, { name: 'ns2.example' }] } },
      records: [{ name: 'ns1.example' }, { name: 'ns2.example' }],
    },
    {
      type: 'TXT',
      name: '_dmarc.shop.example',
      zone: { '_dmarc.shop.example TXT': { records: [{ texts: ['v=DMARC1; ', 'p=reject'] }, { texts: [''] }] } },
      records: [{ text: 'v=DMARC1; p=reject' }, { text: '' }],
    },
    {
      type: 'SRV',
      name: '_imaps._tcp.shop.example',
      zone: {
        '_imaps._tcp.shop.example SRV': {
          records: [
            { priority: 10, weight: 60, port: 993, target: 'b.example' },
            { priority: 0, weight: 1, port: 1993, target: 'a.example' },
          ],
        },
      },
      records: [
        { name: 'a.example', port: 1993, priority: 0, weight: 1 },
        { name: 'b.example', port: 993, priority: 10, weight: 60 },
      ],
    },
    {
      type: 'CAA',
      name: 'shop.example',
      zone: {
        'shop.example CAA': {
          records: [
            { flags: 0, tag: 'issue', value: 'ca.example; account=7' },
            { flags: 128, tag: 'iodef', value: 'mailto:a@shop.example' },
            { flags: 0, tag: 'issuewild', value: ';' },
          ],
        },
      },
      records: [
        { tag: 'issue', value: 'ca.example; account=7', critical: false },
        { tag: 'iodef', value: 'mailto:a@shop.example', critical: true },
        { tag: 'issuewild', value: ';', critical: false },
      ],
    },
    {
      type: 'SOA',
      name: 'shop.example',
      zone: {
        'shop.example SOA': {
          records: [{ names: ['ns1.example', 'admin.shop.example'], numbers: [4294967295, 7200, 900, 1209600, 3600] }],
        },
      },
      records: [
        {
          name_server: 'ns1.example',
          hostmaster: 'admin.shop.example',
          serial: 4294967295,
          refresh: 7200,
          retry: 900,
          expire: 1209600,
          minimum_ttl: 3600,
        },
      ],
    },
    {
      type: 'PTR',
      name: '8.8.4.4',
      zone: { '4.4.8.8.in-addr.arpa PTR': { records: [{ name: 'dns.google' }] } },
      records: [{ name: 'dns.google' }],
    },
    {
      type: 'PTR',
      name: '2001:4860:4860::8888',
      zone: { [`${reverseGoogle} PTR`]: { records: [{ name: 'dns.google' }] } },
      records: [{ name: 'dns.google' }],
    },
    {
      type: 'PTR',
      name: '4.4.8.8.in-addr.arpa.',
      zone: { '4.4.8.8.in-addr.arpa PTR': { records: [{ name: 'dns.google' }] } },
      records: [{ name: 'dns.google' }],
    },
    {
      type: 'NS',
      name: '8.8.in-addr.arpa',
      zone: { '8.8.in-addr.arpa NS': { records: [{ name: 'ns.google' }] } },
      records: [{ name: 'ns.google' }],
    },
    { type: 'NS', name: '.', zone: { ' NS': { records: [{ name: 'a.root-servers.net' }] } }, records: [{ name: 'a.root-servers.net' }] },
    {
      name: ' Shop.Example. ',
      zone: { 'shop.example A': { records: [{ address: [1, 1, 1, 1] }] } },
      records: [{ address: '1.1.1.1', ttl: 300 }],
    },
    {
      name: '*.shop.example',
      zone: { '*.shop.example A': { records: [{ address: [1, 1, 1, 1] }] } },
      records: [{ address: '1.1.1.1', ttl: 300 }],
    },
  ];
  for (const { type, name, zone, records } of cases) {
    it(`gives the ${type ?? 'A'} records of ${name}`, async () => {
      const { asked } = await namesServer(zone);
      expect(await lookUp({ name, ...(type === undefined ? {} : { type }) })).to.deep.equal(records);
      expect(asked).to.deep.equal(Object.keys(zone));
    });
  }

  it('gives nothing for a name that has no records of this type', async () => {
    await namesServer({ 'shop.example MX': {} });
    expect(await lookUp({ name: 'shop.example', type: 'MX' })).to.deep.equal([]);
  });

  it('takes names and texts that are not ASCII', async () => {
    await namesServer({
      '_x.xn--bcher-kva.example TXT': {
        records: [
          { texts: [Buffer.from('größe: 世').subarray(0, 3), Buffer.from('größe: 世').subarray(3)] },
          { texts: [Buffer.from([0x41, 0xff])] },
        ],
      },
    });
    expect(await lookUp({ name: '_x.bücher.example', type: 'TXT' })).to.deep.equal([{ text: 'größe: 世' }, { text: 'A\ufffd' }]);
  });

  it('gives an answer that is too long for one packet', async () => {
    const texts = Array.from({ length: 200 }, (_, index) => `${'x'.repeat(250)}${index}`);
    const { asked } = await namesServer({ 'big.example TXT': { records: texts.map((text) => ({ texts: [text] })) } });
    expect(await lookUp({ name: 'big.example', type: 'TXT' })).to.deep.equal(texts.map((text) => ({ text })));
    expect(asked).to.deep.equal(['big.example TXT', 'big.example TXT over TCP']);
  });

  const failures = [
    { answer: { code: 3 }, code: 'NOT_FOUND', says: 'A records of "shop.example": the name does not exist' },
    { answer: { code: 2 }, code: 'UPSTREAM_UNAVAILABLE', says: 'the DNS servers failed (SERVFAIL)' },
    { answer: { code: 5 }, code: 'UPSTREAM_UNAVAILABLE', says: 'refuse to answer this (REFUSED)' },
    { answer: { code: 1 }, code: 'UPSTREAM_UNAVAILABLE', says: 'no answer that can be used (EFORMERR)' },
    { answer: { code: 4 }, code: 'UPSTREAM_UNAVAILABLE', says: '(ENOTIMP)' },
    { answer: { raw: Buffer.from([1, 2, 3]) }, code: 'UPSTREAM_UNAVAILABLE', says: '(EBADRESP)' },
  ] as const;
  for (const { answer, code, says } of failures) {
    it(`ends with ${code} when ${says}`, async () => {
      await namesServer({ 'shop.example A': answer });
      const error = await rejection(lookUp({ name: 'shop.example' }), code);
      expect(error.message).to.include(says);
      expect(error.details['name']).to.equal('shop.example');
    });
  }

  it('ends with UPSTREAM_UNAVAILABLE when no server is there', async () => {
    await noNamesServer();
    const error = await rejection(lookUp({ name: 'shop.example' }), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.include('no DNS server of this machine can be reached');
  });

  it('ends with TIMEOUT when no server answers', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await namesServer({ 'shop.example A': 'never' }, () => clock.tick(5000));
    const error = await rejection(lookUp({ name: 'shop.example' }), 'TIMEOUT');
    expect(error.message).to.include('no DNS server of this machine answered within 5000 ms');
  });

  it('stops when the call is cancelled', async () => {
    const cancelled = new AbortController();
    const { asked } = await namesServer({ 'shop.example A': 'never' }, () => cancelled.abort());
    const toolkit = await sharedCoreToolkit();
    await rejection(toolkit.execute('net_dns_lookup', { name: 'shop.example' }, { signal: cancelled.signal }), 'ABORTED');
    expect(asked).to.deep.equal(['shop.example A']);
  });

  it('asks the servers of the machine where nobody has set others', async () => {
    const [resolver] = [new dns.promises.Resolver()];
    expect(dns.getServers()).to.deep.equal(resolver.getServers());
    const set = sinon.spy(dns.promises.Resolver.prototype, 'setServers');
    sinon.stub(dns.promises.Resolver.prototype, 'resolve4').resolves([{ address: '1.1.1.1', ttl: 1 }] as never);
    expect(await lookUp({ name: 'shop.example' })).to.deep.equal([{ address: '1.1.1.1', ttl: 1 }]);
    expect(set.called).to.equal(false);
  });

  const privateNames = [
    { name: '10.1.2.3', blocks: '10.1.2.3' },
    { name: '127.0.0.1', blocks: '127.0.0.1' },
    { name: '169.254.169.254', blocks: '169.254.169.254' },
    { name: '::1', blocks: '::1' },
    { name: 'fd12::1', blocks: 'fd12::1' },
    { name: '::ffff:192.168.0.1', blocks: '::ffff:192.168.0.1' },
    { name: '5.0.0.10.in-addr.arpa', blocks: '10.0.0.5' },
    { name: '5.0.0.10.IN-ADDR.ARPA.', blocks: '10.0.0.5' },
    { name: '005.0.0.010.in-addr.arpa', blocks: '10.0.0.5' },
    { name: 'x.5.0.0.10.in-addr.arpa', blocks: '10.0.0.5' },
    { name: '300.0.0.10.in-addr.arpa', blocks: '10.0.0.0' },
    { name: '168.192.in-addr.arpa', type: 'SOA', blocks: '192.168.0.0' },
    { name: '10.in-addr.arpa', type: 'NS', blocks: '10.0.0.0' },
    { name: '0.0.0.10.in-addr.arpa', type: 'TXT', blocks: '10.0.0.0' },
    { name: 'd.f.ip6.arpa', type: 'NS', blocks: 'fd00::' },
    { name: `1.${'0.'.repeat(31)}ip6.arpa`, blocks: '::1' },
  ];
  for (const { name, type = 'PTR', blocks } of privateNames) {
    it(`does not ask for what a private network calls ${name} (${type}), unless that is allowed`, async () => {
      const { asked } = await namesServer({});
      const error = await rejection(lookUp({ name, type }), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include('are blocked').and.include('allowHosts');
      expect(asked).to.deep.equal([]);
      await rejection(lookUp({ name, type }, [blocks]), 'NOT_FOUND');
      expect(asked).to.have.length(1);
    });
  }

  const mistakes = [
    { name: 'https://shop.example/', says: 'expected a domain name without scheme, port and path, such as example.com' },
    { name: 'shop.example:53', says: 'received "shop.example:53"' },
    { name: 'shop.example/path', says: 'expected a domain name' },
    { name: 'me@shop.example', says: 'expected a domain name' },
    { name: 'shop..example', says: 'expected a domain name' },
    { name: '.shop.example', says: 'expected a domain name' },
    { name: 'shop example', says: 'expected a domain name' },
    { name: 'shop\\.example', says: 'expected a domain name' },
    { name: 'sh%6fp.example', says: 'expected a domain name' },
    { name: 'shöp%2eexample', says: 'expected a domain name' },
    { name: 'shop.example\0.bücher', says: 'expected a domain name' },
    { name: '   ', says: 'expected a domain name' },
    { name: `${'x'.repeat(64)}.example`, says: 'expected a domain name' },
    { name: `${'x.'.repeat(130)}example`, says: 'at most 253 characters, received one of 267' },
    { name: '8.8.8.8', says: 'received the address "8.8.8.8". For its names set "type" to PTR' },
    { name: '::1', type: 'AAAA', says: 'expected a domain name for type AAAA' },
    { name: 'fe80::1%eth0', type: 'PTR', says: 'expected an address without a zone' },
    { name: 'shop.example', type: 'PTR', says: 'expected an IP address for type PTR, received "shop.example"' },
  ];
  for (const { says, ...parameters } of mistakes) {
    it(`says what is wrong with ${JSON.stringify(parameters).slice(0, 60)}`, async () => {
      const { asked } = await namesServer({});
      const error = await rejection(lookUp(parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "name"').and.include(says);
      expect(error.details.issues).to.have.nested.property('[0].path', 'name');
      expect(asked).to.deep.equal([]);
    });
  }

  const refused = [
    { parameters: {}, says: 'name is required' },
    { parameters: { name: '' }, says: 'name expected' },
    { parameters: { name: 'x'.repeat(1001) }, says: 'name expected' },
    { parameters: { name: 'shop.example', type: 'ANY' }, says: 'type expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 40)}: ${says}`, async () => {
      expect((await rejection(lookUp(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});

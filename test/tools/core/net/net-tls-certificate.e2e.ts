import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import sinon from 'sinon';
import type { CertificateReport } from '../../../../tools/core/net/certificate-report.ts';
import { trust } from '../../../plugins/executor-http/certificates.ts';
import { answerNames } from '../../../plugins/guard-outbound/guarded.ts';
import { rawServer, victim } from '../../../plugins/guard-outbound/victim.ts';
import { closedPort } from '../../../support/closed-port.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { makeCertificates, type Pair, tlsListener } from './certificates.ts';
import { deafPort } from './listeners.ts';

const { sharedCoreToolkit } = coreGroup('net');

interface Report extends CertificateReport {
  readonly address: string;
}

const names =
  'DNS:shop.example,DNS:*.wild.example,DNS:xn--bcher-kva.example,IP:127.0.0.1,IP:2001:db8::1,URI:https://shop.example/,email:a@shop.example';

const wishes = {
  root: { subject: '/CN=Test Root', isAuthority: true },
  intermediate: { subject: '/O=Intermédiaire/CN=Test Intermediate', isAuthority: true, by: 'root' },
  good: { subject: '/C=DE/O=Müller, Söhne \\+ Co/CN=shop.example', names, by: 'intermediate' },
  direct: { subject: '/CN=shop.example', names: 'DNS:shop.example,DNS:other.example', by: 'root' },
  expired: { subject: '/CN=shop.example', names, by: 'root', from: -30, to: -3.5 },
  future: { subject: '/CN=shop.example', names, by: 'root', from: 2, to: 30 },
  nameless: { subject: '/O=No Names', by: 'root' },
  self: { subject: '/CN=self', names: 'DNS:shop.example' },
  selfExpired: { subject: '/CN=self', names: 'DNS:else.example', from: -30, to: -1 },
} as const;

/** Returns the lines that openssl prints for a certificate: `subject`, `issuer`, `notBefore`, `notAfter`, `sha256 Fingerprint`. */
function inOpenssl({ cert }: Pair): Readonly<Record<string, string>> {
  const nameForm = 'RFC2253,-dn_rev,utf8,-esc_msb,sep_comma_plus_space';
  const args = ['x509', '-noout', '-subject', '-issuer', '-dates', '-fingerprint', '-sha256', '-nameopt', nameForm];
  const lines = execFileSync('openssl', args, { encoding: 'utf8', input: cert }).trim().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

describe('net_tls_certificate', () => {
  let made: Record<keyof typeof wishes, Pair>;
  before(async () => {
    made = await makeCertificates(wishes);
  });
  beforeEach(() => {
    const here = ['shop.example', 'a.wild.example', 'xn--bcher-kva.example', 'other.example', 'other.example.', 'unknown.example'];
    answerNames(Object.fromEntries(here.map((name) => [name, [['127.0.0.1']]])));
  });
  afterEach(() => sinon.restore());

  async function certificateOf(
    parameters: Readonly<Record<string, unknown>>,
    allowHosts: readonly string[] = ['127.0.0.1'],
  ): Promise<Report> {
    const toolkit = await sharedCoreToolkit({ allowHosts: [...allowHosts] });
    return (await toolkit.execute('net_tls_certificate', parameters)) as unknown as Report;
  }

  it('tells what openssl tells of a certificate, and that it is valid', async () => {
    const { good, intermediate, root } = made;
    const { port, closed, whenClosed } = await tlsListener({ key: good.key, cert: good.cert + intermediate.cert });
    trust(root);
    const report = await certificateOf({ host: 'shop.example', port });
    const expected = inOpenssl(good);
    expect(report).to.include({ subject: expected['subject'], issuer: expected['issuer'], fingerprint256: expected['sha256 Fingerprint'] });
    expect(report.subject).to.equal('C=DE, O=Müller\\, Söhne \\+ Co, CN=shop.example');
    expect(report).to.include({ valid: true, problem_details: null, protocol: 'TLSv1.3', address: '127.0.0.1', days_left: 29 });
    expect([report.valid_from, report.valid_to].map(Date.parse)).to.deep.equal(
      [expected['notBefore'], expected['notAfter']].map((text) => Date.parse(text ?? '')),
    );
    expect(report.names).to.deep.equal(['shop.example', '*.wild.example', 'xn--bcher-kva.example', '127.0.0.1', '2001:db8::1']);
    expect(report.problems).to.deep.equal([]);
    expect(report.chain.map(({ subject }) => subject)).to.deep.equal([report.subject, 'O=Intermédiaire, CN=Test Intermediate']);
    await whenClosed(1);
    expect(closed).to.deep.equal([{ serverName: 'shop.example', alpn: false, bytes: 0 }]);
  });

  const cases: readonly {
    what: string;
    server: (keyof typeof wishes)[];
    trusted?: 'root' | 'self';
    host?: string;
    problems: readonly string[];
    details: string | null;
  }[] = [
    { what: 'for an address', server: ['good', 'intermediate'], host: '127.0.0.1', problems: [], details: null },
    { what: 'for an address in another spelling', server: ['good', 'intermediate'], host: '0x7f.1', problems: [], details: null },
    { what: 'for a name below a wildcard', server: ['good', 'intermediate'], host: 'a.wild.example', problems: [], details: null },
    { what: 'for a name that is not ASCII', server: ['good', 'intermediate'], host: 'Bücher.example', problems: [], details: null },
    { what: 'of another host', server: ['good', 'intermediate'], host: 'other.example', problems: ['wrong_host'], details: null },
    { what: 'of an authority that only signs', server: ['direct'], host: '127.0.0.1', problems: ['wrong_host'], details: null },
    { what: 'without names', server: ['nameless'], problems: ['wrong_host'], details: null },
    {
      what: 'without its intermediate certificate',
      server: ['good'],
      problems: ['untrusted_issuer'],
      details: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    },
    { what: 'that is expired', server: ['expired'], problems: ['expired'], details: 'CERT_HAS_EXPIRED' },
    {
      what: 'that is expired, of another host',
      server: ['expired'],
      host: 'other.example',
      problems: ['expired', 'wrong_host'],
      details: 'CERT_HAS_EXPIRED',
    },
    { what: 'that is not yet valid', server: ['future'], problems: ['not_yet_valid'], details: 'CERT_NOT_YET_VALID' },
    { what: 'that signs itself', server: ['self'], problems: ['self_signed'], details: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    { what: 'that signs itself and is trusted', server: ['self'], trusted: 'self', problems: [], details: null },
    {
      what: 'that signs itself, is expired and of another host',
      server: ['selfExpired'],
      problems: ['expired', 'wrong_host', 'self_signed'],
      details: 'CERT_HAS_EXPIRED',
    },
    {
      what: 'of an unknown authority that comes along',
      server: ['direct', 'root'],
      trusted: 'self',
      problems: ['untrusted_issuer'],
      details: 'SELF_SIGNED_CERT_IN_CHAIN',
    },
    {
      what: 'of an unknown authority',
      server: ['direct'],
      trusted: 'self',
      problems: ['untrusted_issuer'],
      details: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    },
  ];
  for (const { what, server, trusted = 'root', host = 'shop.example', problems, details } of cases) {
    it(`finds ${problems.join(' and ') || 'nothing wrong'} in one ${what}`, async () => {
      const [leaf] = server.map((name) => made[name]) as [Pair];
      const { port } = await tlsListener({ key: leaf.key, cert: server.map((name) => made[name].cert).join('') });
      trust(made[trusted]);
      const report = await certificateOf({ host, port });
      expect(report.problems).to.deep.equal(problems);
      expect(report).to.include({
        valid: problems.length === 0,
        problem_details: details,
        fingerprint256: inOpenssl(leaf)['sha256 Fingerprint'],
      });
      expect(report.chain).to.have.length(server.length);
    });
  }

  it('counts whole days, below zero when they are over', async () => {
    const { port } = await tlsListener(made.expired);
    expect((await certificateOf({ host: 'shop.example', port })).days_left).to.equal(-4);
    const later = await tlsListener(made.future);
    expect((await certificateOf({ host: 'shop.example', port: later.port })).days_left).to.equal(29);
  });

  it('names the host to a server that has several, and does not name an address', async () => {
    const { port, closed, whenClosed } = await tlsListener(made.self, (server) => server.addContext('other.example', made.direct));
    expect((await certificateOf({ host: 'other.example.', port })).fingerprint256).to.equal(inOpenssl(made.direct)['sha256 Fingerprint']);
    expect((await certificateOf({ host: 'unknown.example', port })).fingerprint256).to.equal(inOpenssl(made.self)['sha256 Fingerprint']);
    for (const host of ['127.0.0.1', '127.1'])
      expect((await certificateOf({ host, port })).fingerprint256).to.equal(inOpenssl(made.self)['sha256 Fingerprint']);
    await whenClosed(4);
    expect(closed.map(({ serverName }) => serverName)).to.have.members(['other.example', 'unknown.example', false, false]);
  });

  const protocols: readonly { options: object; protocol: string }[] = [
    { options: { minVersion: 'TLSv1.3' }, protocol: 'TLSv1.3' },
    { options: { maxVersion: 'TLSv1.2' }, protocol: 'TLSv1.2' },
    { options: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }, protocol: 'TLSv1.1' },
    { options: { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }, protocol: 'TLSv1' },
    { options: { ALPNProtocols: ['h2'] }, protocol: 'TLSv1.3' },
    { options: { requestCert: true, rejectUnauthorized: true }, protocol: 'TLSv1.3' },
  ];
  for (const { options, protocol } of protocols) {
    it(`looks at a server with ${JSON.stringify(options)} over ${protocol}`, async () => {
      const { port } = await tlsListener({ ...made.direct, ...options });
      expect(await certificateOf({ host: 'shop.example', port })).to.include({
        protocol,
        fingerprint256: inOpenssl(made.direct)['sha256 Fingerprint'],
      });
    });
  }

  it('ends with EXECUTION_FAILED where another protocol is spoken', async () => {
    const { url } = await loopback((_, response) => json(response, {}));
    const { port: mail } = await rawServer((socket) => socket.write('500 what?\r\n'));
    for (const port of [Number(new URL(url).port), mail]) {
      const error = await rejection(certificateOf({ host: '127.0.0.1', port }), 'EXECUTION_FAILED');
      expect(error.message).to.include(`127.0.0.1:${port} does not speak TLS: it answered something else`);
    }
  });

  const endings = [
    { what: 'closes the connection', answer: '', says: 'ended the TLS handshake' },
    {
      what: 'sends an alert',
      answer: '\x15\x03\x03\x00\x02\x02\x28',
      says: 'alert handshake failure. It may want another host name, a client certificate',
    },
  ];
  for (const { what, answer, says } of endings) {
    it(`ends with UPSTREAM_UNAVAILABLE when the server ${what}`, async () => {
      const { port } = await rawServer((socket) => socket.end(answer, 'latin1'));
      const error = await rejection(certificateOf({ host: '127.0.0.1', port }), 'UPSTREAM_UNAVAILABLE');
      expect(error.message).to.include(says);
    });
  }

  it('ends with UPSTREAM_UNAVAILABLE when an old server wants a client certificate', async () => {
    const { port } = await tlsListener({ ...made.direct, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' });
    const error = await rejection(certificateOf({ host: 'shop.example', port }), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.include('It may want another host name, a client certificate');
  });

  it('ends with UPSTREAM_UNAVAILABLE when the port is closed', async () => {
    const error = await rejection(certificateOf({ host: '127.0.0.1', port: await closedPort() }), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.include('No connection to 127.0.0.1:').and.include('refuses connections to this port');
    expect(error.details['failure']).to.equal('refused');
  });

  it('ends with TIMEOUT when the server never ends the handshake', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { port } = await rawServer(() => clock.tick(10_000));
    const error = await rejection(certificateOf({ host: '127.0.0.1', port }), 'TIMEOUT');
    expect(error.message).to.include(`127.0.0.1:${port} did not show a certificate within 10000 ms`);
  });

  it('stops when the call is cancelled, before and in the middle of the handshake', async () => {
    const toolkit = await sharedCoreToolkit({ allowHosts: ['127.0.0.1'] });
    const cancelled = new AbortController();
    const { port } = await rawServer(() => cancelled.abort());
    await rejection(toolkit.execute('net_tls_certificate', { host: '127.0.0.1', port }, { signal: cancelled.signal }), 'ABORTED');
    const deaf = new AbortController();
    const call = toolkit.execute('net_tls_certificate', { host: '127.0.0.1', port: await deafPort() }, { signal: deaf.signal });
    setImmediate(() => setImmediate(() => deaf.abort()));
    await rejection(call, 'ABORTED');
  });

  for (const host of ['127.0.0.1', 'shop.example', 'localhost', '127.1', '::1', '10.0.0.1', '169.254.169.254']) {
    it(`does not touch ${host} unless it is allowed`, async () => {
      const { port, connections } = await victim();
      await rejection(certificateOf({ host, port }, []), host === 'localhost' ? 'NOT_FOUND' : 'OUTBOUND_BLOCKED');
      expect(connections).to.deep.equal([]);
    });
  }

  it('ends with NOT_FOUND for a name without an address, on port 443 when no other is given', async () => {
    const error = await rejection(certificateOf({ host: 'nowhere.example' }), 'NOT_FOUND');
    expect(error.message).to.include('The name "nowhere.example" has no address');
    await rejection(certificateOf({ host: '127.0.0.1' }, ['127.0.0.1:444']), 'OUTBOUND_BLOCKED');
  });

  const refused = [
    { parameters: {}, says: 'host is required' },
    { parameters: { host: '' }, says: 'host expected' },
    { parameters: { host: 'x'.repeat(254) }, says: 'host expected' },
    { parameters: { host: 'https://shop.example/' }, says: 'expected the name or the address of a host, received "https://shop.example/"' },
    { parameters: { host: 'shop.example:443' }, says: 'expected the name or the address of a host' },
    { parameters: { host: 'shop.example', port: 0 }, says: 'port expected' },
    { parameters: { host: 'shop.example', port: 65_536 }, says: 'port expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 60)}: ${says}`, async () => {
      expect((await rejection(certificateOf(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});

import { expect } from 'chai';
import { answerNames } from '../../../plugins/guard-outbound/guarded.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { makeCertificates, tlsListener } from './certificates.ts';
import { namesServer } from './names-server.ts';

const { coreToolkit } = coreGroup('net');

const zone = {
  'example.com A': { records: [{ address: [93, 184, 215, 14] }] },
  'example.com MX': { records: [{ priority: 0, exchange: 'mail.example.com' }] },
  [`${'1.1.1.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.7.4.0.0.7.4.6.0.6.2'}.ip6.arpa PTR`]: { records: [{ name: 'one.one.one.one' }] },
};

describe('the examples of the network tools', () => {
  it('run against servers of this machine, on the ports of these', async () => {
    await namesServer(zone);
    answerNames({ 'example.com': [['127.0.0.1']] });
    const { own } = await makeCertificates({ own: { subject: '/CN=example.com', names: 'DNS:example.com' } });
    const { port } = await tlsListener(own);
    const toolkit = await coreToolkit({ allowHosts: ['example.com'] });
    const tools = toolkit.listTools().filter(({ name }) => name.startsWith('net_'));
    expect(tools.map(({ name }) => name)).to.have.members(['net_check_port', 'net_dns_lookup', 'net_tls_certificate']);
    for (const { name, definition, parameters: declared } of tools) {
      for (const { parameters } of definition.examples ?? []) {
        const given = await toolkit.execute(name, { ...parameters, ...('port' in declared ? { port } : {}) });
        expect(given, name).to.be.an('object');
        if (name === 'net_dns_lookup') expect(given).to.have.property('records').with.length(1);
        if (name === 'net_check_port') expect(given).to.include({ open: true });
      }
    }
  });
});

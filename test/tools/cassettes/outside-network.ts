import { isIP } from 'node:net';
import type { JsonObject } from '../../../kernel/index.ts';

/** By kind of exchange, what answers a request. */
export type Responses = Readonly<Record<string, (request: JsonObject) => unknown>>;

const address = '93.184.215.14';

const certificate = {
  subject: 'CN=example.com',
  issuer: 'CN=Example CA',
  valid_from: '2026-01-01T00:00:00.000Z',
  valid_to: '2027-01-01T00:00:00.000Z',
  days_left: 200,
  names: ['DNS:example.com'],
  fingerprint256: Array(32).fill('AB').join(':'),
  protocol: 'TLSv1.3',
  valid: true,
  problems: [],
  problem_details: null,
  chain: [{ subject: 'CN=example.com', issuer: 'CN=Example CA', valid_to: '2027-01-01T00:00:00.000Z' }],
  address,
};

const records: Readonly<Record<string, unknown>> = {
  A: { address, ttl: 300 },
  MX: { exchange: 'mail.example.com', priority: 0 },
  PTR: { name: 'one.one.one.one' },
};

/** The network outside, as far as examples ask it without HTTP. */
export const outsideNetwork: Responses = {
  addresses: ({ host }) => [isIP(String(host)) === 0 ? { address, family: 4 } : { address: host, family: isIP(String(host)) }],
  dns: ({ name, type }) =>
    String(name).endsWith('.invalid')
      ? { error: { name: 'Error', message: `query${String(type)} ENOTFOUND ${String(name)}`, code: 'ENOTFOUND' } }
      : { answer: [records[String(type)]] },
  tcp: () => ({ answer: { open: true, latency_ms: 12.5, error: null, address } }),
  tls: () => ({ answer: certificate }),
};

import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { packToolkit } from '../packs.ts';
import { token } from './sent-mail.ts';

interface Refusal {
  readonly when: string;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: Readonly<Record<string, unknown>>;
  readonly code: ErrorCode;
  readonly says: readonly string[];
}

const message = { message_id: '18c5f2a7b3d4e6f1' };
const mail = { to: 'ada@example.com', subject: 'x', body: 'y' };

function google(code: number, words: string, reason: string, status: string): Readonly<Record<string, unknown>> {
  return { error: { code, message: words, errors: [{ message: words, domain: 'global', reason }], status } };
}

const refusals: readonly Refusal[] = [
  {
    when: 'the token has expired',
    tool: 'gmail_list_messages',
    parameters: {},
    status: 401,
    error: google(401, 'Request had invalid authentication credentials.', 'authError', 'UNAUTHENTICATED'),
    code: 'AUTH_FAILED',
    says: ['Renew GMAIL_ACCESS_TOKEN', 'Request had invalid authentication credentials.'],
  },
  {
    when: 'the token may not delete',
    tool: 'gmail_delete_message',
    parameters: message,
    status: 403,
    error: google(403, 'Request had insufficient authentication scopes.', 'insufficientPermissions', 'PERMISSION_DENIED'),
    code: 'INSUFFICIENT_SCOPE',
    says: ['needs scope https://mail.google.com/', 'Request had insufficient authentication scopes.'],
  },
  {
    when: 'the mailbox is of somebody else',
    tool: 'gmail_list_messages',
    parameters: { user_id: 'bea@example.com' },
    status: 403,
    error: google(403, 'Delegation denied for bea@example.com', 'forbidden', 'PERMISSION_DENIED'),
    code: 'INSUFFICIENT_SCOPE',
    says: ['Delegation denied for bea@example.com'],
  },
  {
    when: 'there is no such message',
    tool: 'gmail_get_message',
    parameters: message,
    status: 404,
    error: google(404, 'Requested entity was not found.', 'notFound', 'NOT_FOUND'),
    code: 'NOT_FOUND',
    says: ['does not exist, or the token may not see it', 'Requested entity was not found.'],
  },
  {
    when: 'an address is none',
    tool: 'gmail_send_email',
    parameters: mail,
    status: 400,
    error: google(400, 'Invalid To header', 'invalidArgument', 'INVALID_ARGUMENT'),
    code: 'BAD_REQUEST',
    says: ['Invalid To header'],
  },
  {
    when: 'too much was sent today',
    tool: 'gmail_send_email',
    parameters: mail,
    status: 429,
    headers: { 'retry-after': '90' },
    error: google(429, 'User-rate limit exceeded. (Mail sending)', 'rateLimitExceeded', 'RESOURCE_EXHAUSTED'),
    code: 'RATE_LIMITED',
    says: ['too many requests', 'User-rate limit exceeded. (Mail sending)'],
  },
  {
    when: 'Google fails',
    tool: 'gmail_create_draft',
    parameters: mail,
    status: 503,
    error: google(503, 'The service is currently unavailable.', 'backendError', 'UNAVAILABLE'),
    code: 'UPSTREAM_UNAVAILABLE',
    says: ['Try again later', 'The service is currently unavailable.'],
  },
];

describe('@toolkit/gmail: errors', () => {
  for (const { when, tool, parameters, status, headers, error: body, code, says } of refusals) {
    it(`end with ${code} when ${when}, after one request, and never show the token`, async () => {
      const logger = memoryLogger();
      const { url, requests } = await loopback((_request, response) => json(response, body, status, headers));
      const toolkit = await packToolkit('gmail', { baseUrl: url, env: { GMAIL_ACCESS_TOKEN: token }, logger });
      const error = await rejection(toolkit.execute(tool, parameters), code);
      expect(error.details).to.include({ tool, status });
      for (const words of says) expect(error.message).to.include(words);
      expect(error.details.retryAfterMs).to.equal(headers === undefined ? undefined : 90_000);
      expect(requests.map((request) => request.headers.authorization)).to.deep.equal([`Bearer ${token}`]);
      expect(`${JSON.stringify([error, logger.records])}${error.stack}${String(error.cause)}`).to.not.include(token);
    });
  }

  const wrong = [
    { tool: 'gmail_get_message', parameters: {}, says: 'message_id is required' },
    { tool: 'gmail_get_message', parameters: { ...message, format: 'text' }, says: 'expected one of "minimal", "full", "raw", "metadata"' },
    { tool: 'gmail_get_message', parameters: { message_id: '..' }, says: '"." and ".."' },
    { tool: 'gmail_list_messages', parameters: { max_results: 501 }, says: 'max_results' },
    { tool: 'gmail_list_messages', parameters: { label_ids: 'INBOX' }, says: 'label_ids expected array' },
    { tool: 'gmail_list_messages', parameters: { query: 'is:unread' }, says: 'query is not known here' },
    { tool: 'gmail_send_email', parameters: { to: '' }, says: 'subject is required' },
    { tool: 'gmail_send_email', parameters: { ...mail, to: '' }, says: 'to expected to' },
    { tool: 'gmail_send_email', parameters: { ...mail, to: ['ada@example.com'] }, says: 'to expected string, received array' },
    { tool: 'gmail_create_draft', parameters: { ...mail, is_html: 'yes' }, says: 'is_html expected boolean' },
    { tool: 'gmail_create_draft', parameters: { ...mail, raw: 'RnJvbQ' }, says: 'raw is not known here' },
    { tool: 'gmail_delete_message', parameters: { message_ids: ['1'] }, says: 'Did you mean "message_id"' },
  ];
  for (const { tool, parameters, says } of wrong) {
    it(`${tool} refuses ${JSON.stringify(parameters)} and sends nothing`, async () => {
      const { url, requests } = await loopback((_request, response) => json(response, {}));
      const toolkit = await packToolkit('gmail', { baseUrl: url, env: { GMAIL_ACCESS_TOKEN: token } });
      const error = await rejection(toolkit.execute(tool, parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(requests).to.deep.equal([]);
    });
  }

  it('ask for the access token when there is none, and never for one that only obtains it', async () => {
    const toolkit = await packToolkit('gmail', { env: { GMAIL_REFRESH_TOKEN: '1//x', GMAIL_CLIENT_SECRET: 'x' } });
    const error = await rejection(toolkit.execute('gmail_list_messages'), 'MISSING_PARAMETER');
    expect(error.message).to.match(/^Missing required parameter: GMAIL_ACCESS_TOKEN\./);
  });
});

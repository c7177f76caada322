import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { json } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { accountSid, authToken, basic, credentials, twilioToolkit } from './twilio-toolkit.ts';

const sms = { to: '+15558675310', body: 'Hi' };
const sid = 'SM0123456789abcdef0123456789abcdef';

interface Refusal {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly means: ErrorCode;
}

const refusals: readonly Refusal[] = [
  {
    tool: 'twilio_send_sms',
    parameters: sms,
    status: 400,
    code: 21211,
    message: "Invalid 'To' Phone Number: +1555867XXXX",
    means: 'BAD_REQUEST',
  },
  {
    tool: 'twilio_send_sms',
    parameters: sms,
    status: 400,
    code: 21610,
    message: 'Attempt to send to unsubscribed recipient',
    means: 'BAD_REQUEST',
  },
  {
    tool: 'twilio_send_mms',
    parameters: { to: sms.to, media_url: ['https://example.com/a.jpg'] },
    status: 400,
    code: 21620,
    message: 'Invalid media URL(s)',
    means: 'BAD_REQUEST',
  },
  { tool: 'twilio_send_sms', parameters: sms, status: 401, code: 20003, message: 'Authenticate', means: 'AUTH_FAILED' },
  {
    tool: 'twilio_send_sms',
    parameters: sms,
    status: 403,
    code: 20008,
    message: 'Resource not accessible with Test Account Credentials',
    means: 'INSUFFICIENT_SCOPE',
  },
  {
    tool: 'twilio_get_message',
    parameters: { message_sid: sid },
    status: 404,
    code: 20404,
    message: `The requested resource /2010-04-01/Accounts/${accountSid}/Messages/${sid}.json was not found`,
    means: 'NOT_FOUND',
  },
  { tool: 'twilio_list_messages', parameters: {}, status: 429, code: 20429, message: 'Too Many Requests', means: 'RATE_LIMITED' },
  {
    tool: 'twilio_list_messages',
    parameters: {},
    status: 503,
    code: 20503,
    message: 'Service is temporarily unavailable',
    means: 'UPSTREAM_UNAVAILABLE',
  },
];

describe('@toolkit/twilio: failures', () => {
  for (const { tool, parameters, status, code, message, means } of refusals) {
    it(`${code} (${status}) of ${tool} end with ${means} and what Twilio says, and never show the token`, async () => {
      const logger = memoryLogger();
      const body = { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
      const { toolkit, requests } = await twilioToolkit((_, response) => json(response, body, status), { logger });
      const error = await rejection(toolkit.execute(tool, parameters), means);
      expect(error.details).to.include({ tool, status, providerMessage: message });
      expect(error.message).to.include(message);
      expect(requests.map(({ headers }) => headers.authorization)).to.deep.equal([basic(accountSid, authToken)]);
      const seen = `${JSON.stringify([error, logger.records])}${error.stack}${String(error.cause)}`;
      for (const secret of [authToken, basic(accountSid, authToken).slice(6)]) expect(seen).to.not.include(secret);
    });
  }

  for (const missing of ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN']) {
    it(`name ${missing} where it is not set, and send nothing`, async () => {
      const env = Object.fromEntries(Object.entries(credentials).filter(([name]) => name !== missing));
      const { toolkit, requests } = await twilioToolkit((_, response) => json(response, {}), { env });
      const error = await rejection(toolkit.execute('twilio_send_sms', sms), 'MISSING_PARAMETER');
      expect(error.message).to.match(new RegExp(`^Missing required parameter: ${missing}\\.`));
      expect(requests).to.deep.equal([]);
    });
  }

  it('of delivery are in the answer, which is no failure', async () => {
    const undelivered = { sid, status: 'undelivered', error_code: 30003, error_message: 'Unreachable destination handset', body: null };
    const { toolkit } = await twilioToolkit((_, response) => json(response, undelivered));
    expect(await toolkit.execute('twilio_get_message', { message_sid: sid })).to.deep.equal(undelivered);
  });

  it('of the stand-in show when it answers something else than a message', async () => {
    const { toolkit } = await twilioToolkit((_, response) => json(response, { sid, status: 7 }));
    await rejection(toolkit.execute('twilio_get_message', { message_sid: sid }), 'OUTPUT_INVALID');
  });
});

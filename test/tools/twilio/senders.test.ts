import { expect } from 'chai';
import { json } from '../../support/loopback.ts';
import { accountSid, authToken, basic, credentials, messagesPath, twilioToolkit } from './twilio-toolkit.ts';

const sid = 'SM0123456789abcdef0123456789abcdef';
const to = '+15558675310';
const service = 'MG0123456789abcdef0123456789abcdef';
const media = ['https://example.com/a.jpg?x=1&y=2', 'https://example.com/b%20c.png'];
const withDefault = { ...credentials, TWILIO_FROM_NUMBER: '+15005550006' };

/** Returns the sender in the form of a message. */
async function senderOf(name: string, parameters: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>>) {
  const { toolkit, requests } = await twilioToolkit((_, response) => json(response, { sid, status: 'queued' }, 201), { env });
  await toolkit.execute(name, parameters);
  const form = new URLSearchParams(requests[0]?.body);
  return { From: form.getAll('From'), MessagingServiceSid: form.getAll('MessagingServiceSid') };
}

const cases = [
  { given: 'nothing', parameters: {}, env: withDefault, From: ['+15005550006'], MessagingServiceSid: [] },
  { given: 'nothing, and none is set up,', parameters: {}, env: credentials, From: [], MessagingServiceSid: [] },
  { given: 'a number', parameters: { from: '+15557122661' }, env: withDefault, From: ['+15557122661'], MessagingServiceSid: [] },
  { given: 'a name', parameters: { from: 'Käse & Co' }, env: credentials, From: ['Käse & Co'], MessagingServiceSid: [] },
  {
    given: 'a messaging service',
    parameters: { messaging_service_sid: service },
    env: withDefault,
    From: [],
    MessagingServiceSid: [service],
  },
  {
    given: 'a messaging service and a number',
    parameters: { messaging_service_sid: service, from: '+15557122661' },
    env: withDefault,
    From: ['+15557122661'],
    MessagingServiceSid: [service],
  },
  { given: 'null', parameters: { from: null }, env: withDefault, From: ['+15005550006'], MessagingServiceSid: [] },
];

const tools = [
  { name: 'twilio_send_sms', message: { to, body: 'Hi' } },
  { name: 'twilio_send_mms', message: { to, media_url: media } },
];

describe('@toolkit/twilio: the sender', () => {
  for (const { name, message } of tools) {
    for (const { given, parameters, env, From, MessagingServiceSid } of cases) {
      it(`of ${name} is ${[...From, ...MessagingServiceSid].join(' of ') || 'left out'} where the call names ${given}`, async () => {
        expect(await senderOf(name, { ...message, ...parameters }, env)).to.deep.equal({ From, MessagingServiceSid });
      });
    }
  }

  it('is hidden from models where it is set up, and no secret', async () => {
    const { toolkit } = await twilioToolkit((_, response) => json(response, { sid, status: 'queued', from: '+15005550006' }), {
      env: withDefault,
    });
    const { inputSchema } = toolkit.kernel.registry.get('twilio_send_sms');
    expect(JSON.stringify(inputSchema)).to.not.match(/TWILIO_(ACCOUNT|AUTH|FROM)/);
    expect(await toolkit.execute('twilio_send_sms', { to, body: 'Hi' })).to.include({ from: '+15005550006' });
  });
});

describe('@toolkit/twilio: a message', () => {
  it('keeps +, & and spaces of its values apart from those of the form, and repeats MediaUrl', async () => {
    const { toolkit, requests } = await twilioToolkit((_, response) => json(response, { sid, status: 'queued' }, 201));
    await toolkit.execute('twilio_send_mms', { to, body: '1 + 1 = 2 & more', media_url: media, from: '+15557122661' });
    expect(requests[0]?.headers['content-type']).to.equal('application/x-www-form-urlencoded');
    expect(requests[0]?.body.split('&')).to.deep.equal([
      'To=%2B15558675310',
      'From=%2B15557122661',
      'Body=1+%2B+1+%3D+2+%26+more',
      'MediaUrl=https%3A%2F%2Fexample.com%2Fa.jpg%3Fx%3D1%26y%3D2',
      'MediaUrl=https%3A%2F%2Fexample.com%2Fb%2520c.png',
    ]);
  });

  it('goes to the account that the call names, with its token', async () => {
    const other = { TWILIO_ACCOUNT_SID: 'ACfedcba9876543210fedcba9876543210', TWILIO_AUTH_TOKEN: 'not-a-real-token-of-a-tenant' };
    const { toolkit, requests } = await twilioToolkit((_, response) => json(response, { sid, status: 'queued' }, 201));
    await toolkit.execute('twilio_send_sms', { to, body: 'Hi' }, { credentials: { ...other, TWILIO_FROM_NUMBER: '+15005550006' } });
    await toolkit.execute('twilio_send_sms', { to, body: 'Hi' });
    expect(requests.map(({ url, headers }) => [url, headers.authorization])).to.deep.equal([
      [messagesPath.replace(accountSid, other.TWILIO_ACCOUNT_SID), basic(other.TWILIO_ACCOUNT_SID, other.TWILIO_AUTH_TOKEN)],
      [messagesPath, basic(accountSid, authToken)],
    ]);
    expect(requests.map(({ body }) => new URLSearchParams(body).get('From'))).to.deep.equal(['+15005550006', null]);
  });
});

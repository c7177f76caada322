import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { json } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { apiKey, basic, mailchimpToolkit } from './mailchimp-toolkit.ts';

const list = { list_id: 'a1b2c3d4e5' };
const urist = 'urist.mcvankab@freddiesjokes.com';

interface Refusal {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly means: ErrorCode;
  readonly says?: string;
}

const refusals: readonly Refusal[] = [
  {
    tool: 'mailchimp_add_list_member',
    parameters: { ...list, email_address: urist, status: 'pending' },
    status: 400,
    title: 'Member Exists',
    detail: `${urist} is already a list member. Use PUT to insert or update list members.`,
    means: 'BAD_REQUEST',
  },
  {
    tool: 'mailchimp_add_list_member',
    parameters: { ...list, email_address: urist, status: 'subscribed' },
    status: 400,
    title: 'Invalid Resource',
    detail: 'Your merge fields were invalid.',
    errors: [{ field: 'FNAME', message: 'Please enter a value' }],
    means: 'BAD_REQUEST',
    says: 'Your merge fields were invalid.; FNAME: Please enter a value',
  },
  {
    tool: 'mailchimp_send_campaign',
    parameters: { campaign_id: '42694e9e57' },
    status: 400,
    title: 'Bad Request',
    detail: 'Your Campaign is not ready to send.',
    means: 'BAD_REQUEST',
  },
  {
    tool: 'mailchimp_get_lists',
    parameters: {},
    status: 401,
    title: 'API Key Invalid',
    detail: "Your API key may be invalid, or you've attempted to access the wrong datacenter.",
    means: 'AUTH_FAILED',
  },
  {
    tool: 'mailchimp_get_lists',
    parameters: {},
    status: 403,
    title: 'Wrong Datacenter',
    detail: 'The API key provided is linked to a different datacenter.',
    means: 'INSUFFICIENT_SCOPE',
  },
  {
    tool: 'mailchimp_update_list_member',
    parameters: { ...list, subscriber_hash: urist, vip: true },
    status: 404,
    title: 'Resource Not Found',
    detail: 'The requested resource could not be found.',
    means: 'NOT_FOUND',
  },
  {
    tool: 'mailchimp_remove_list_member',
    parameters: { ...list, subscriber_hash: urist },
    status: 405,
    title: 'Method Not Allowed',
    detail: 'This list member cannot be removed. Please contact support.',
    means: 'BAD_REQUEST',
  },
  {
    tool: 'mailchimp_get_list_members',
    parameters: list,
    status: 429,
    title: 'Too Many Requests',
    detail: 'You have exceeded the limit of 10 simultaneous connections.',
    means: 'RATE_LIMITED',
  },
  {
    tool: 'mailchimp_get_lists',
    parameters: {},
    status: 500,
    title: 'Internal Server Error',
    detail: 'An unexpected internal error has occurred.',
    means: 'UPSTREAM_UNAVAILABLE',
  },
];

describe('@toolkit/mailchimp: failures', () => {
  for (const { tool, parameters, status, title, detail, errors, means, says = detail } of refusals) {
    it(`${title} (${status}) of ${tool} ends with ${means} and what Mailchimp says, and never shows the key`, async () => {
      const logger = memoryLogger();
      const { toolkit, requests } = await mailchimpToolkit(
        (_, response) =>
          json(
            response,
            { type: 'https://mailchimp.com/developer/marketing/docs/errors/', title, status, detail, instance: 'x', errors },
            status,
            {
              'content-type': 'application/problem+json; charset=utf-8',
            },
          ),
        { logger },
      );
      const error = await rejection(toolkit.execute(tool, parameters), means);
      expect(error.details).to.include({ tool, status, providerMessage: says });
      expect(error.message).to.include(says);
      expect(requests.map(({ headers }) => headers.authorization)).to.deep.equal([basic(apiKey)]);
      const seen = `${JSON.stringify([error, logger.records])}${error.stack}${String(error.cause)}`;
      for (const secret of [apiKey, basic(apiKey).slice(6)]) expect(seen).to.not.include(secret);
    });
  }

  const wrong = [
    { tool: 'mailchimp_get_lists', parameters: { fields: 'lists.id' }, says: 'fields expected array' },
    { tool: 'mailchimp_get_lists', parameters: { count: 1001 }, says: 'count' },
    { tool: 'mailchimp_get_lists', parameters: { since_date_created: '2026' }, says: 'since_date_created' },
    { tool: 'mailchimp_get_list_members', parameters: {}, says: 'list_id is required' },
    { tool: 'mailchimp_get_list_members', parameters: { ...list, status: 'active' }, says: 'status expected one of "subscribed"' },
    { tool: 'mailchimp_add_list_member', parameters: { ...list, email_address: urist }, says: 'status is required' },
    { tool: 'mailchimp_add_list_member', parameters: { ...list, email_address: urist, status: 'archived' }, says: 'status' },
    {
      tool: 'mailchimp_add_list_member',
      parameters: { ...list, email_address: urist, status: 'pending', interests: { a: 1 } },
      says: 'interests.a',
    },
    { tool: 'mailchimp_update_list_member', parameters: { ...list, subscriber_hash: urist, tags: ['x'] }, says: 'tags is not known' },
    { tool: 'mailchimp_create_campaign', parameters: { type: 'regular', ...list }, says: 'subject_line is required' },
    { tool: 'mailchimp_send_campaign', parameters: {}, says: 'campaign_id is required' },
  ];
  for (const { tool, parameters, says } of wrong) {
    it(`before anything is sent: ${tool} refuses ${JSON.stringify(parameters)}`, async () => {
      const { toolkit, requests } = await mailchimpToolkit((_, response) => json(response, {}));
      expect((await rejection(toolkit.execute(tool, parameters), 'INVALID_PARAMETERS')).message).to.include(says);
      expect(requests).to.deep.equal([]);
    });
  }
});

import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { json } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { packToolkit } from '../packs.ts';
import { hubspotToolkit } from './hubspot-toolkit.ts';

interface Refusal {
  readonly when: string;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: ErrorCode;
  readonly says: readonly string[];
  readonly retryAfterMs?: number;
}

const correlationId = 'a43683b0-5717-4ceb-80b4-104d02915d8c';
const contact = { contact_id: '51' };

const refusals: readonly Refusal[] = [
  {
    when: 'a property does not exist',
    tool: 'hubspot_create_contact',
    parameters: { properties: { favourite_food: 'noodles' } },
    status: 400,
    body: {
      status: 'error',
      message:
        'Property values were not valid: [{"isValid":false,"message":"Property \\"favourite_food\\" does not exist","error":"PROPERTY_DOESNT_EXIST","name":"favourite_food","portalId":20884141}]',
      correlationId,
      category: 'VALIDATION_ERROR',
    },
    code: 'BAD_REQUEST',
    says: ['favourite_food', 'PROPERTY_DOESNT_EXIST'],
  },
  {
    when: 'a value has the wrong form, told in the list of errors only',
    tool: 'hubspot_update_line_item',
    parameters: { line_item_id: '7791176460', properties: { discount: 'ten' } },
    status: 400,
    body: {
      status: 'error',
      errors: [{ message: 'discount was not a valid number', code: 'INVALID_INTEGER', context: { propertyName: ['discount'] } }],
      correlationId,
      category: 'VALIDATION_ERROR',
    },
    code: 'BAD_REQUEST',
    says: ['discount was not a valid number'],
  },
  {
    when: 'the custom object is unknown',
    tool: 'hubspot_list_custom_objects',
    parameters: { object_type: 'p20884141_boats' },
    status: 400,
    body: { status: 'error', message: 'Unable to infer object type from: p20884141_boats', correlationId },
    code: 'BAD_REQUEST',
    says: ['Unable to infer object type from: p20884141_boats'],
  },
  {
    when: 'the token is wrong',
    tool: 'hubspot_get_contact',
    parameters: contact,
    status: 401,
    body: { status: 'error', message: 'Authentication credentials not found.', correlationId, category: 'INVALID_AUTHENTICATION' },
    code: 'AUTH_FAILED',
    says: ['Renew HUBSPOT_ACCESS_TOKEN', 'Authentication credentials not found.'],
  },
  {
    when: 'the app lacks a scope',
    tool: 'hubspot_create_deal',
    parameters: { properties: { dealname: 'Coffee' } },
    status: 403,
    body: {
      status: 'error',
      message: "This app hasn't been granted all required scopes to make this call.",
      correlationId,
      errors: [
        {
          message: 'One or more of the following scopes are required.',
          context: { requiredGranularScopes: ['crm.objects.deals.write'] },
        },
      ],
      links: { scopes: 'https://developers.hubspot.com/scopes' },
      category: 'MISSING_SCOPES',
    },
    code: 'INSUFFICIENT_SCOPE',
    says: ['crm.objects.deals.write', "hasn't been granted all required scopes"],
  },
  {
    when: 'the record does not exist',
    tool: 'hubspot_get_contact',
    parameters: contact,
    status: 404,
    body: {
      status: 'error',
      message: 'Object not found.  objectId are usually numeric.',
      correlationId,
      context: { id: ['51'] },
      category: 'OBJECT_NOT_FOUND',
    },
    code: 'NOT_FOUND',
    says: ['objectId are usually numeric'],
  },
  {
    when: 'the email address belongs to another contact, whose id it names',
    tool: 'hubspot_create_contact',
    parameters: { properties: { email: 'maria.johnson@example.com' } },
    status: 409,
    body: { status: 'error', message: 'Contact already exists. Existing ID: 51', correlationId, category: 'CONFLICT' },
    code: 'BAD_REQUEST',
    says: ['Existing ID: 51'],
  },
  {
    when: 'the record is locked by other writes',
    tool: 'hubspot_update_contact',
    parameters: { ...contact, properties: { city: 'Lyon' } },
    status: 423,
    body: { status: 'error', message: 'Resource is locked', correlationId },
    code: 'BAD_REQUEST',
    says: ['423', 'Resource is locked'],
  },
  {
    when: 'the ten-second limit is reached',
    tool: 'hubspot_list_contacts',
    parameters: {},
    status: 429,
    body: {
      status: 'error',
      message: 'You have reached your ten_secondly_rolling limit.',
      errorType: 'RATE_LIMIT',
      correlationId,
      policyName: 'TEN_SECONDLY_ROLLING',
    },
    headers: { 'x-hubspot-ratelimit-max': '100', 'x-hubspot-ratelimit-remaining': '0' },
    code: 'RATE_LIMITED',
    says: ['ten_secondly_rolling'],
  },
  {
    when: 'the daily limit is reached, with the time to wait',
    tool: 'hubspot_list_contacts',
    parameters: {},
    status: 429,
    body: { status: 'error', message: 'You have reached your daily limit.', errorType: 'RATE_LIMIT', correlationId, policyName: 'DAILY' },
    headers: { 'retry-after': '3600' },
    code: 'RATE_LIMITED',
    says: ['daily limit'],
    retryAfterMs: 3_600_000,
  },
  {
    when: 'a proxy answers with a page',
    tool: 'hubspot_delete_contact',
    parameters: contact,
    status: 502,
    body: '<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>',
    code: 'UPSTREAM_UNAVAILABLE',
    says: ['Bad Gateway'],
  },
];

describe('@toolkit/hubspot: refusals', () => {
  for (const { when, tool, parameters, status, body, headers, code, says, retryAfterMs } of refusals) {
    it(`end with ${code} when ${when}`, async () => {
      const { toolkit } = await hubspotToolkit((_request, response) => {
        if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/html' }).end(body);
        else json(response, body, status, headers);
      });
      const error = await rejection(toolkit.execute(tool, parameters), code);
      expect(error.details).to.include({ tool, status });
      expect(error.details.retryAfterMs).to.equal(retryAfterMs);
      for (const words of says) expect(error.message).to.include(words);
    });
  }

  it('name the token that is not set', async () => {
    const toolkit = await packToolkit('hubspot');
    const error = await rejection(toolkit.execute('hubspot_get_contact', contact), 'MISSING_PARAMETER');
    expect(error.message).to.match(/^Missing required parameter: HUBSPOT_ACCESS_TOKEN\./);
  });
});

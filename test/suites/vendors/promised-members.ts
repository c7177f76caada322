import { oneOf, orNull } from './schema-words.ts';
import type { Correction } from './source-faults.ts';

/** Members that are in every answer of a vendor although its description marks nothing as required, and the form of one of them. */
export const promisedMembers: readonly Correction[] = [
  {
    provider: 'gmail',
    places: ['schemas Message/required'],
    schema: ['id', 'threadId'],
    only: 'answer',
    reason: 'A message is never without its ids.',
  },
  {
    provider: 'gmail',
    places: ['schemas Draft/required'],
    schema: ['id', 'message'],
    only: 'answer',
    reason: 'A draft is never without its id and its message.',
  },
  {
    provider: 'twilio',
    places: ['schemas api.v2010.account.message/required'],
    schema: ['sid', 'status'],
    only: 'answer',
    reason: 'The reference shows every member in every answer.',
  },
  {
    provider: 'twilio',
    places: ['ListMessage answer/required'],
    schema: ['messages'],
    reason: 'The reference shows the list in every answer, also an empty one.',
  },
  {
    provider: 'twilio',
    places: ['ListMessage answer/properties/next_page_uri'],
    schema: orNull(
      oneOf('/2010-04-01/Accounts/AC0123456789abcdef0123456789abcdef/Messages.json?PageSize=50&Page=1&PageToken=PASM0123456789abcdef'),
    ),
    reason: 'A path with the parameters of the next page, not any address.',
  },
  {
    provider: 'mailchimp',
    places: ['schemas Campaign/required'],
    schema: ['id'],
    only: 'answer',
    reason: 'A campaign is never without its id.',
  },
];

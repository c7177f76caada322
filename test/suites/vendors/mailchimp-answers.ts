import { count, flag, fraction, list, moment, object, oneOf, open, text } from './schema-words.ts';
import type { Correction } from './source-faults.ts';

/** A time, or the empty text for something that has not happened. */
const timeOrNone = oneOf('2026-02-03T09:30:00+00:00', '');

const member = object(['id', 'email_address', 'status'], {
  id: text,
  email_address: text,
  unique_email_id: text,
  contact_id: text,
  full_name: text,
  web_id: count,
  email_type: text,
  status: oneOf('subscribed', 'unsubscribed', 'cleaned', 'pending', 'transactional', 'archived'),
  merge_fields: { type: 'object', additionalProperties: { anyOf: [text, fraction, open] } },
  interests: { type: 'object', additionalProperties: flag },
  stats: object([], { avg_open_rate: fraction, avg_click_rate: fraction }),
  ip_signup: text,
  timestamp_signup: timeOrNone,
  ip_opt: text,
  timestamp_opt: timeOrNone,
  member_rating: count,
  last_changed: moment,
  language: text,
  vip: flag,
  email_client: text,
  location: object([], { latitude: fraction, longitude: fraction, country_code: text, timezone: text }),
  source: text,
  tags_count: count,
  tags: list(object([], { id: count, name: text })),
  list_id: text,
});

export const mailchimpAnswers: readonly Correction[] = [
  {
    provider: 'mailchimp',
    places: ['schemas List_Members_2/properties/members/items', 'postListsIdMembers answer', 'patchListsIdMembersId answer'],
    schema: member,
    reason: 'Two schemas of one name in the source: that of the list has taken the place of that of a member.',
  },
  {
    provider: 'mailchimp',
    places: [
      'schemas Campaign/properties/send_time',
      'schemas Statistics/properties/campaign_last_sent',
      'schemas Statistics/properties/last_sub_date',
      'schemas Statistics/properties/last_unsub_date',
    ],
    schema: timeOrNone,
    reason: 'The description knows only the time of what has happened.',
  },
];

import type { JsonSchema } from '../../../kernel/index.ts';
import { address, count, flag, list, object, oneOf, open, orNull, text } from './schema-words.ts';
import type { Correction } from './source-faults.ts';

const topic = object(['value', 'creator', 'last_set'], { value: text, creator: text, last_set: count });

const message: JsonSchema = { $ref: '#/components/schemas/objs_message' };

const ok: JsonSchema = { type: 'boolean', enum: [true] };

const conversation = object(['id'], {
  id: text,
  name: text,
  user: text,
  creator: text,
  created: count,
  is_channel: flag,
  is_group: flag,
  is_im: flag,
  is_mpim: flag,
  is_private: flag,
  is_archived: flag,
  is_general: flag,
  is_member: flag,
  num_members: count,
  topic,
  purpose: topic,
});

const user = object(['id'], {
  id: text,
  team_id: text,
  name: text,
  real_name: text,
  deleted: flag,
  color: text,
  tz: orNull(text),
  tz_label: text,
  tz_offset: count,
  locale: text,
  is_admin: flag,
  is_owner: flag,
  is_primary_owner: flag,
  is_restricted: flag,
  is_ultra_restricted: flag,
  is_bot: flag,
  is_app_user: flag,
  updated: count,
  profile: object([], {
    real_name: text,
    display_name: text,
    email: text,
    title: text,
    phone: text,
    status_text: text,
    status_emoji: text,
    status_expiration: count,
    image_72: address,
    fields: orNull(open),
  }),
});

const match = object(['ts'], {
  iid: text,
  team: text,
  type: text,
  user: orNull(text),
  username: text,
  ts: text,
  text,
  permalink: address,
  channel: object(['id'], { id: text, name: text, is_private: flag, is_mpim: flag }),
});

/** The description was converted from one that said "one of several" in a way of its own, of which nothing is left. */
export const slackAnswers: readonly Correction[] = [
  {
    provider: 'slack',
    places: ['schemas objs_conversation'],
    schema: conversation,
    reason: 'docs.slack.dev: conversation object',
  },
  { provider: 'slack', places: ['schemas objs_user'], schema: user, reason: 'docs.slack.dev: user object' },
  {
    provider: 'slack',
    places: ['schemas objs_response_metadata'],
    schema: object([], { next_cursor: text }),
    reason: 'docs.slack.dev: Pagination',
  },
  {
    provider: 'slack',
    places: ['conversations_replies answer/properties/messages'],
    schema: list(message),
    reason: 'docs.slack.dev: conversations.replies',
  },
  {
    provider: 'slack',
    places: ['conversations_history answer/properties/channel_actions_ts'],
    schema: orNull(count),
    reason: 'docs.slack.dev: conversations.history',
  },
  { provider: 'slack', places: ['schemas objs_message/properties/bot_id'], schema: orNull(text), reason: 'docs.slack.dev: message event' },
  {
    provider: 'slack',
    places: ['search_messages answer'],
    schema: object(['ok', 'messages'], {
      ok,
      query: text,
      messages: object(['matches'], {
        total: count,
        matches: list(match),
        paging: object([], { count, total: count, page: count, pages: count }),
        pagination: object([], { total_count: count, page: count, per_page: count, page_count: count, first: count, last: count }),
      }),
    }),
    reason: 'docs.slack.dev: search.messages',
  },
  {
    provider: 'slack',
    places: ['reactions_get answer'],
    schema: object(['ok', 'type'], { ok, type: oneOf('message'), channel: text, message }),
    reason: 'docs.slack.dev: reactions.get',
  },
];

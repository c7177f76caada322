import type { Purpose } from './json-schema.ts';
import { list, open, text } from './schema-words.ts';

/** A schema, or a part of one, that takes the place of one in a description. */
export interface Correction {
  readonly provider: string;
  /**
   * An operation id and a place in it (`query/<name>`, `body/…`, `answer/…`), or `schemas` and the name of a shared schema. What
   * follows is the way into the schema.
   */
  readonly places: readonly string[];
  readonly schema: unknown;
  /** Purpose of the correction, when one schema serves two. */
  readonly only?: Purpose;
  readonly reason: string;
}

const objects = list(open);

/** Where a description is known to be wrong or behind. What the notes of the catalogue say holds. */
export const sourceFaults: readonly Correction[] = [
  {
    provider: 'slack',
    places: [
      'conversations_history query/oldest',
      'conversations_history query/latest',
      'conversations_replies query/oldest',
      'conversations_replies query/latest',
      'conversations_replies query/ts',
      'chat_delete body/properties/ts',
    ],
    schema: text,
    reason: 'A timestamp of a message is an identifier; a number would lose digits.',
  },
  {
    provider: 'slack',
    places: [
      'chat_postMessage body/properties/blocks',
      'chat_postMessage body/properties/attachments',
      'chat_update body/properties/blocks',
      'chat_update body/properties/attachments',
    ],
    schema: objects,
    reason: 'Text with JSON in it is for form bodies; in a JSON body they are lists.',
  },
  {
    provider: 'slack',
    places: ['chat_update answer/properties/message/properties/blocks'],
    schema: objects,
    reason: 'The blocks of a message are a list, as in every other answer.',
  },
  {
    provider: 'notion',
    places: ['post-page body/properties/children'],
    schema: objects,
    reason: 'Children are block objects; the description says text.',
  },
  {
    provider: 'notion',
    places: ['post-page body/properties/icon', 'post-page body/properties/cover'],
    schema: open,
    reason: 'An icon and a cover are objects; the description says text with JSON in it.',
  },
  {
    provider: 'notion',
    places: ['schemas dataSourceIdParentRequest'],
    schema: {
      type: 'object',
      properties: { type: { const: 'data_source_id' }, data_source_id: { type: 'string', format: 'uuid' } },
      required: ['type', 'data_source_id'],
    },
    reason: 'From 2025-09-03 on a row belongs to a data source; the description still names the database.',
  },
  {
    provider: 'notion',
    places: ['schemas sortObject'],
    schema: {
      type: 'object',
      properties: { property: text, timestamp: text, direction: { type: 'string', enum: ['ascending', 'descending'] } },
      required: ['direction'],
      anyOf: [{ required: ['property'] }, { required: ['timestamp'] }],
    },
    reason: 'Rows are sorted by a property or by a timestamp; the description has forgotten the second.',
  },
  {
    provider: 'notion',
    places: ['patch-page body/properties/icon', 'patch-page body/properties/cover'],
    schema: open,
    reason: 'An icon and a cover are objects of several types; the description allows one of them and no "type".',
  },
  {
    provider: 'notion',
    places: ['create-a-comment body/properties/rich_text/items'],
    schema: open,
    reason: 'An item of rich text is a text, a mention or an equation, with annotations; the description has the text only.',
  },
  {
    provider: 'twilio',
    places: ['ListMessage query/DateSent', 'ListMessage query/DateSent<', 'ListMessage query/DateSent>'],
    schema: { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] },
    reason: 'The filters take a day, YYYY-MM-DD; the moment of the description is taken as well.',
  },
  {
    provider: 'twilio',
    places: ['CreateMessage body/allOf'],
    schema: [
      { anyOf: [{ required: ['From'] }, { required: ['MessagingServiceSid'] }] },
      { anyOf: [{ required: ['Body'] }, { required: ['MediaUrl'] }, { required: ['ContentSid'] }] },
    ],
    only: 'request',
    reason: 'A sender and a content are required; the description marks the recipient only.',
  },
  {
    provider: 'mailchimp',
    places: [
      'schemas Add_List_Members_1/properties/merge_fields/additionalProperties',
      'schemas Add_List_Members_3/properties/merge_fields/additionalProperties',
    ],
    schema: {},
    reason: 'The value of a merge field such as FNAME is a text or a number, only an address is an object.',
  },
];

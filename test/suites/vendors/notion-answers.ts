import { address, flag, list, moment, object, oneOf, open, orNull, text } from './schema-words.ts';
import type { Correction } from './source-faults.ts';

/** Where the integration may not read what it writes, the reference allows an answer with these two only. */
const partial = ['object', 'id'];

const person = object(partial, { object: oneOf('user'), id: text });

const page = object(partial, {
  object: oneOf('page', 'data_source'),
  id: text,
  created_time: moment,
  last_edited_time: moment,
  created_by: person,
  last_edited_by: person,
  cover: orNull(open),
  icon: orNull(open),
  parent: open,
  properties: open,
  archived: flag,
  in_trash: flag,
  url: address,
  public_url: orNull(address),
});

/** The description says of every answer that it is an object, or nothing at all. These are the objects of the reference. */
export const notionAnswers: readonly Correction[] = [
  {
    provider: 'notion',
    places: ['post-search answer', 'query-data-source answer'],
    schema: object(['object', 'results', 'next_cursor', 'has_more'], {
      object: oneOf('list'),
      results: list(page),
      next_cursor: orNull(text),
      has_more: flag,
      type: text,
      page_or_data_source: open,
      request_id: text,
    }),
    reason: 'developers.notion.com: Search, Query a data source',
  },
  {
    provider: 'notion',
    places: ['post-page answer', 'patch-page answer'],
    schema: page,
    reason: 'developers.notion.com: Page',
  },
  {
    provider: 'notion',
    places: ['create-a-comment answer'],
    schema: object(partial, {
      object: oneOf('comment'),
      id: text,
      parent: open,
      discussion_id: text,
      created_time: moment,
      last_edited_time: moment,
      created_by: person,
      rich_text: list(open),
    }),
    reason: 'developers.notion.com: Comment',
  },
  {
    provider: 'notion',
    places: ['get-user answer'],
    schema: object(partial, {
      object: oneOf('user'),
      id: text,
      type: oneOf('person', 'bot'),
      name: orNull(text),
      avatar_url: orNull(address),
      person: object([], { email: text }),
      bot: open,
    }),
    reason: 'developers.notion.com: User',
  },
];

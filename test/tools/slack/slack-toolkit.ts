import type { ServerResponse } from 'node:http';
import { json, type SeenRequest } from '../../support/loopback.ts';
import { type PackServer, type PackServerOptions, packAgainst } from '../packs.ts';

export const botToken = 'xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy';
export const userToken = 'xoxp-17653672481-17653672482-19874698323-0f3a1b2c3d4e5f60';

/** A conversation and a message in it. */
export const channel = 'C024BE91L';
export const ts = '1718035200.123456';

export type AnswerSlack = (query: Readonly<Record<string, string>>, response: ServerResponse, request: SeenRequest) => void;

/** The package against a server that answers each request as told; without `env` it has both tokens. */
export function slackToolkit(answer: AnswerSlack, options: PackServerOptions = {}): Promise<PackServer> {
  return packAgainst('slack', (request, response) => answer(queryOf(request), response, request), {
    env: { SLACK_BOT_TOKEN: botToken, SLACK_USER_TOKEN: userToken },
    ...options,
  });
}

/** The package against a server that gives always the same answer. */
export function answering(body: unknown, options: PackServerOptions = {}): Promise<PackServer> {
  return slackToolkit((_query, response) => json(response, body), options);
}

export function queryOf({ url }: SeenRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url, 'http://127.0.0.1').searchParams);
}

/** A call of every tool with what it needs. */
export const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  slack_send_channel_message: { channel, text: 'x' },
  slack_reply_to_message: { channel, thread_ts: ts, text: 'x' },
  slack_send_dm: { user_id: 'U061F7AUR', text: 'x' },
  slack_update_message: { channel, ts, text: 'x' },
  slack_delete_message: { channel, ts },
  slack_list_channels: {},
  slack_create_channel: { name: 'x' },
  slack_join_channel: { channel },
  slack_set_channel_topic: { channel, topic: 'x' },
  slack_get_channel_history: { channel },
  slack_get_thread_replies: { channel, ts },
  slack_search_messages: { query: 'x' },
  slack_add_reaction: { channel, timestamp: ts, name: 'eyes' },
  slack_get_reactions: { channel, timestamp: ts },
  slack_get_user_info: { user: 'U061F7AUR' },
  slack_list_users: {},
};

import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { json } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { answering, botToken, calls, channel, slackToolkit, ts, userToken } from './slack-toolkit.ts';

/** By code, what Slack calls it. */
const known: Partial<Record<ErrorCode, readonly string[]>> = {
  AUTH_FAILED: ['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired', 'two_factor_setup_required'],
  INSUFFICIENT_SCOPE: [
    'missing_scope',
    'not_allowed_token_type',
    'no_permission',
    'ekm_access_denied',
    'access_denied',
    'accesslimited',
    'team_access_not_granted',
    'enterprise_is_restricted',
    'restricted_action',
    'user_is_restricted',
    'user_is_ultra_restricted',
    'user_is_bot',
    'is_bot',
  ],
  NOT_FOUND: [
    'channel_not_found',
    'user_not_found',
    'users_not_found',
    'user_not_visible',
    'message_not_found',
    'thread_not_found',
    'team_not_found',
  ],
  RATE_LIMITED: ['ratelimited', 'rate_limited', 'message_limit_exceeded'],
  UPSTREAM_UNAVAILABLE: [
    'internal_error',
    'fatal_error',
    'service_unavailable',
    'team_added_to_org',
    'org_login_required',
    'update_failed',
    'external_channel_migrating',
  ],
  TIMEOUT: ['request_timeout'],
  BAD_REQUEST: [
    'invalid_arguments',
    'invalid_json',
    'no_text',
    'msg_too_long',
    'msg_blocks_too_long',
    'invalid_blocks',
    'too_many_attachments',
    'name_taken',
    'invalid_name_specials',
    'not_in_channel',
    'is_archived',
    'method_not_supported_for_channel_type',
    'cant_update_message',
    'cant_delete_message',
    'edit_window_closed',
    'restricted_action_read_only_channel',
    'restricted_action_thread_locked',
    'invalid_cursor',
    'limit_required',
    'invalid_ts_oldest',
    'bad_timestamp',
    'already_reacted',
    'too_long',
  ],
  EXECUTION_FAILED: ['method_deprecated', 'a_code_of_next_year', 'constructor'],
};

describe('@toolkit/slack: errors that come with 200', () => {
  for (const [code, words] of Object.entries(known) as [ErrorCode, readonly string[]][]) {
    it(`end with ${code} for ${words.join(', ')}`, async () => {
      const left = [...words];
      const { toolkit } = await slackToolkit((_query, response) => json(response, { ok: false, error: left.shift() }));
      for (const word of words) {
        const { details, message } = await rejection(toolkit.execute('slack_get_channel_history', { channel }), code);
        expect(details).to.include({ tool: 'slack_get_channel_history', status: 200, providerCode: word });
        expect(message).to.match(new RegExp(`It says: ${word}$`));
      }
    });
  }

  it('are told from successes by every tool, and never show its token', async () => {
    const logger = memoryLogger();
    const body = { ok: false, error: 'invalid_auth', response_metadata: { messages: [`[ERROR] ${botToken} ${userToken}`] } };
    const { toolkit, requests } = await answering(body, { logger });
    for (const [name, parameters] of Object.entries(calls)) {
      const error = await rejection(toolkit.execute(name, parameters), 'AUTH_FAILED');
      const token = name === 'slack_search_messages' ? userToken : botToken;
      expect(requests.at(-1)?.headers.authorization, name).to.equal(`Bearer ${token}`);
      expect(`${JSON.stringify([error, logger.records])}${error.stack}${String(error.cause)}`, name).to.not.include(token);
    }
    expect(requests).to.have.lengthOf(Object.keys(calls).length);
  });

  it('say which scopes the tool needs', async () => {
    const { toolkit } = await answering({ ok: false, error: 'missing_scope', needed: 'reactions:read', provided: 'chat:write' });
    const error = await rejection(toolkit.execute('slack_get_reactions', { channel, timestamp: ts }), 'INSUFFICIENT_SCOPE');
    expect(error.message).to.include('needs scope reactions:read');
  });

  it('say what was wrong with an argument, and where', async () => {
    const complaint = '[ERROR] must be one of: mrkdwn, plain_text [json-pointer:/blocks/0/text/type]';
    const body = {
      ok: false,
      error: 'invalid_blocks',
      errors: [complaint.slice('[ERROR] '.length)],
      response_metadata: { messages: [complaint] },
    };
    const { toolkit } = await answering(body);
    const blocks = [{ type: 'section', text: { type: 'html', text: 'x' } }];
    const error = await rejection(toolkit.execute('slack_send_channel_message', { channel, text: 'x', blocks }), 'BAD_REQUEST');
    expect(error.details['providerMessage']).to.equal(`invalid_blocks: ${complaint}`);
  });

  it('are not seen in an answer that holds warnings only', async () => {
    const body = {
      ok: true,
      channel: { id: channel },
      warning: 'already_in_channel',
      response_metadata: { warnings: ['already_in_channel'] },
    };
    const { toolkit } = await answering(body);
    expect(await toolkit.execute('slack_join_channel', { channel })).to.deep.equal(body);
  });
});

describe('@toolkit/slack: rate limits', () => {
  const limited = { ok: false, error: 'ratelimited' };
  for (const status of [429, 200]) {
    it(`say how long to wait when Slack answers ${status} with Retry-After`, async () => {
      const { toolkit, requests } = await answering(limited, { status, headers: { 'retry-after': '30' } });
      const error = await rejection(toolkit.execute('slack_send_channel_message', { channel, text: 'x' }), 'RATE_LIMITED');
      expect({ ...error.details, retryable: error.retryable }).to.include({ status, retryAfterMs: 30_000, retryable: true });
      expect(requests).to.have.lengthOf(1);
    });
  }

  it('are limits also when Slack gives no time', async () => {
    const { toolkit } = await answering(limited);
    const error = await rejection(toolkit.execute('slack_list_users', {}), 'RATE_LIMITED');
    expect(error.details).to.not.have.property('retryAfterMs');
  });
});

describe('@toolkit/slack: parameters', () => {
  /** What is wrong, by what the error says of it. */
  const wrong: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>> = {
    slack_send_channel_message: {
      'text is required': { channel },
      'blocks expected array': { channel, text: 'x', blocks: '[]' },
      'blocks[0].type is required': { channel, text: 'x', blocks: [{ text: 'y' }] },
      'text expected to not have more than 40000 characters': { channel, text: 'ß'.repeat(40_001) },
      'SLACK_BOT_TOKENS is not known here': { channel, text: 'x', SLACK_BOT_TOKENS: 'x' },
    },
    slack_send_dm: {
      'user_id expected to match': { user_id: '@ana', text: 'x' },
    },
    slack_reply_to_message: {
      'thread_ts expected string': { channel, thread_ts: 1718035200.1, text: 'x' },
    },
    slack_update_message: {
      'channel expected to match': { channel: 'U061F7AUR', ts, text: 'x' },
    },
    slack_delete_message: {
      'ts expected to match': { channel, ts: '1718035200.12345' },
    },
    slack_add_reaction: {
      'name expected to match': { channel, timestamp: ts, name: ':eyes:' },
    },
    slack_create_channel: {
      'name expected to match': { name: 'Big Plans' },
      'name expected to not have more than 80 characters': { name: 'x'.repeat(81) },
    },
    slack_set_channel_topic: {
      'topic expected to not have more than 250 characters': { channel, topic: 'x'.repeat(251) },
    },
    slack_list_channels: {
      'types expected to match': { types: 'public_channel, im' },
    },
    slack_get_channel_history: {
      'channel expected to match': { channel: '#general' },
      'limit expected to be <= 1000': { channel, limit: 1001 },
      'max_items expected to be >= 1': { channel, max_items: 0 },
    },
    slack_search_messages: {
      'sort expected one of "score", "timestamp"': { query: 'x', sort: 'date' },
      'count expected to be <= 100': { query: 'x', count: 101 },
    },
  };
  for (const [tool, cases] of Object.entries(wrong)) {
    it(`of ${tool} are refused and nothing is sent: ${Object.keys(cases).join(', ')}`, async () => {
      const { toolkit, requests } = await answering({ ok: true });
      for (const [says, parameters] of Object.entries(cases)) {
        const { message } = await rejection(toolkit.execute(tool, parameters), 'INVALID_PARAMETERS');
        expect(message).to.include(says);
      }
      expect(requests).to.deep.equal([]);
    });
  }
});

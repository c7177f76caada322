import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { json } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { answering, botToken, calls, channel, slackToolkit, userToken } from './slack-toolkit.ts';

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

import { isPlainObject } from '../../../kernel/index.ts';
import { lostCalls } from '../lost-calls.ts';

const channelOf = (made: Readonly<Record<string, unknown>>, at: number): Record<string, unknown> => ({
  ...(isPlainObject(made['channel']) ? made['channel'] : {}),
  created: Math.floor(at / 1000),
});

lostCalls('slack', [
  {
    tool: 'slack_create_channel',
    asks: () => ['/conversations.list?', 'types=public_channel,private_channel'],
    tells: (made, at) => ({ ok: true, channels: [channelOf(made, at)], response_metadata: { next_cursor: '' } }),
    tellsNothing: { ok: true, channels: [{ id: 'C1', name: 'general', created: 0 }] },
    gives: (made, at) => ({ ok: true, channel: channelOf(made, at) }),
  },
]);

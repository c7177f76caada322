import { expect } from 'chai';
import { json } from '../../support/loopback.ts';
import { answering, channel, queryOf, slackToolkit, ts } from './slack-toolkit.ts';

function historyOf(messages: readonly unknown[]): unknown {
  return { ok: true, messages, has_more: false, pin_count: 0, channel_actions_ts: null, channel_actions_count: 0 };
}

/** Messages of many kinds. */
const messages: readonly Readonly<Record<string, unknown>>[] = [
  { type: 'message', user: 'U061F7AUR', text: 'hello', ts },
  { type: 'message', subtype: 'channel_join', user: 'U061F7AUR', text: '<@U061F7AUR> has joined the channel', ts, inviter: 'U012AB3CDE' },
  { type: 'message', subtype: 'channel_topic', user: 'U061F7AUR', text: 'set the topic', topic: 'x', ts },
  { type: 'message', subtype: 'channel_name', user: 'U061F7AUR', text: 'renamed', old_name: 'a', name: 'b', ts },
  {
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B19LU7CSY',
    username: 'ecto1',
    text: '',
    ts,
    attachments: [{ id: 1, fallback: 'x' }],
  },
  { type: 'message', subtype: 'bot_message', user: null, bot_id: null, text: 'from an old integration', ts, icons: { emoji: ':ghost:' } },
  {
    type: 'message',
    subtype: 'thread_broadcast',
    user: 'U061F7AUR',
    text: 'x',
    ts,
    thread_ts: '1718000000.000001',
    root: { text: 'parent' },
  },
  { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.', ts, hidden: true, reply_count: 2 },
  { type: 'message', subtype: 'huddle_thread', user: 'USLACKBOT', text: '', ts, room: { id: 'R1', name: null }, channel },
  { type: 'message', subtype: 'a_kind_of_next_year', ts },
  {
    type: 'message',
    user: 'U061F7AUR',
    text: '',
    ts,
    upload: false,
    files: [
      { id: 'F1', name: 'größe.png', mimetype: 'image/png', size: 10, mode: 'hosted' },
      { id: 'F2', mode: 'tombstone', name: null, title: null },
    ],
    reactions: [{ name: 'eyes', users: ['U061F7AUR'], count: 12 }],
    blocks: [{ type: 'rich_text', block_id: 'x', elements: [] }],
    edited: { user: 'U061F7AUR', ts: '1718035201.000000' },
  },
];

describe('@toolkit/slack: messages', () => {
  it('may be of every kind, and of kinds that Slack adds later', async () => {
    const { toolkit } = await answering(historyOf(messages));
    expect(await toolkit.execute('slack_get_channel_history', { channel })).to.deep.equal(historyOf(messages));
  });

  it('may be none', async () => {
    const { toolkit } = await answering(historyOf([]));
    expect(await toolkit.execute('slack_get_channel_history', { channel })).to.deep.equal(historyOf([]));
  });

  const stamps = ['1718035200.000000', '1718035200.100000', '1718035200.123456', '1718035200.999999'];
  for (const stamp of stamps) {
    it(`keep the ts ${stamp} to its last digit on every way`, async () => {
      const { toolkit, requests } = await slackToolkit((_query, response) =>
        json(response, { ok: true, channel, ts: stamp, messages: [{ ts: stamp }], message: { ts: stamp }, has_more: false }),
      );
      const outputs = [
        await toolkit.execute('slack_reply_to_message', { channel, thread_ts: stamp, text: 'x' }),
        await toolkit.execute('slack_update_message', { channel, ts: stamp, text: 'x' }),
        await toolkit.execute('slack_delete_message', { channel, ts: stamp }),
        await toolkit.execute('slack_add_reaction', { channel, timestamp: stamp, name: 'eyes' }),
        await toolkit.execute('slack_get_reactions', { channel, timestamp: stamp }),
        await toolkit.execute('slack_get_thread_replies', { channel, ts: stamp }),
        await toolkit.execute('slack_get_channel_history', { channel, oldest: stamp, latest: stamp, max_items: 1 }),
      ];
      for (const output of outputs) expect(output).to.have.property('ts', stamp);
      expect(outputs.at(-1)).to.have.nested.property('messages[0].ts', stamp);
      const sent = requests.map((request) =>
        request.body === '' ? queryOf(request) : (JSON.parse(request.body) as Record<string, string>),
      );
      const stamped = sent.map(({ thread_ts: thread, ts: own, timestamp, oldest, latest }) =>
        [thread, own, timestamp, oldest, latest].filter((value) => value !== undefined),
      );
      expect(stamped).to.deep.equal([[stamp], [stamp], [stamp], [stamp], [stamp], [stamp], [stamp, stamp]]);
    });
  }

  const texts = ['Größe, 漢字, עברית, 👩🏽‍💻', 'a\nb\tc "d" \\e', '{channel} {{x}} %41 &amp; <@U061F7AUR>', '\u2028 \u0000 end'];
  for (const text of texts) {
    it(`are sent as they were written: ${JSON.stringify(text)}`, async () => {
      const { toolkit, requests } = await answering({ ok: true, channel, ts, message: { ts, text } });
      await toolkit.execute('slack_send_channel_message', { channel, text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] });
      expect(JSON.parse(requests[0]?.body ?? '')).to.deep.equal({
        channel,
        text,
        blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }],
      });
    });
  }
});

describe('@toolkit/slack: answers', () => {
  it('keep fields that Slack adds later', async () => {
    const body = { ok: true, user: { id: 'U061F7AUR', hue: { deep: [1] } }, more: null };
    const { toolkit } = await answering(body);
    expect(await toolkit.execute('slack_get_user_info', { user: 'U061F7AUR' })).to.deep.equal(body);
  });
});

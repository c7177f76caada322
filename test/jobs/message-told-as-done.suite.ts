import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { json, loopback } from '../support/loopback.ts';
import { python } from '../support/python.ts';
import { runJob } from './run-job.ts';

interface Message {
  readonly channel: string;
  readonly text: string;
}

interface Facts extends Message {
  readonly url: string;
  /** Bodies that the service has got. */
  readonly posted: () => readonly Message[];
}

interface Outcome {
  readonly isPosted: boolean;
  /** Messages that stand in the channel afterwards. */
  readonly messages: readonly Message[];
}

/** The service posts the message, and its answer misses `ts`, which the tool promises: the model must neither lose nor repeat it. */
runJob<Outcome, Facts>({
  number: 17,
  title: 'message whose answer misses a member',
  async prepare(folder, random) {
    const message = { channel: `C${String(random.below(1e9)).padStart(9, '0')}`, text: `Build ${random.below(1000)} passed; größer < alt` };
    await writeFile(path.join(folder, 'message.json'), JSON.stringify(message));
    const { url, requests } = await loopback((_request, response) => json(response, { ok: true, channel: message.channel }));
    const posted = (): readonly Message[] =>
      requests
        .filter((request) => request.url.endsWith('/chat.postMessage'))
        .map(({ body }) => {
          const { channel, text } = JSON.parse(body) as Message;
          return { channel, text };
        });
    return { ...message, url, posted };
  },
  server: ({ url }) => ({
    configuration: `plugins:\n  - [toolkit/standard, { autoDiscover: true, allowHosts: [127.0.0.1], providers: { slack: { base_url: "${url}" } } }]\n`,
    env: { SLACK_BOT_TOKEN: 'xoxb-planted-0123456789' },
  }),
  async steps(client, { channel, text, posted }) {
    const send = await client.tool('slack_send_channel_message', 'post a message in a Slack channel');
    // A model calls again what failed, unless it is told not to.
    let isPosted = false;
    for (let attempt = 0; attempt < 3 && !isPosted; attempt++) {
      const answer = await send.answer({ channel, text });
      isPosted = !answer.isError || /carried out .*do not call it again/.test(answer.text);
    }
    return { isPosted, messages: posted() };
  },
  expected: (folder) =>
    python('result = {"isPosted": True, "messages": [json.load(open(given, encoding="utf-8"))]}', path.join(folder, 'message.json')),
});

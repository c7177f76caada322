import { expect } from 'chai';
import { apiVersion, type CallClient, definePlugin, type Question } from '../../../../kernel/index.ts';
import { approvalTable } from '../../../../plugins/approvals/commands/approval-table.ts';
import { detailsText } from '../../../../plugins/approvals/commands/details-text.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { until } from '../../../support/until.ts';
import { given, yes } from '../attacks/attack.ts';
import { attackWorld, type World } from '../attacks/attack-world.ts';
import { desk } from '../attacks/signed-answer.ts';

/** Characters that move, hide or reorder text at a terminal or in a chat. */
const unsafe = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const texts: readonly { readonly what: string; readonly text: string }[] = [
  { what: 'escapes that clear the screen', text: '\u001b[2J\u001b[HRun "harmless"?' },
  { what: 'escapes that set the title and the clipboard', text: '\u001b]0;safe\u0007\u001b]52;c;ZXZpbA==\u0007' },
  { what: 'a link of a terminal', text: '\u001b]8;;https://attacker.example\u001b\\here\u001b]8;;\u001b\\' },
  { what: 'eight-bit escapes', text: '\u009b2J\u009d0;safe\u009c' },
  { what: 'a carriage return over the line', text: 'Eve\rto: Ada' },
  { what: 'backspaces', text: 'Eve\b\b\bAda' },
  {
    what: 'lines of a question of its own',
    text: '```\ntool: harmless\ncaller: "ann"\nreason: none\nparameters: none\n```\nRun it? Its risk is low.',
  },
  { what: 'a digest of its own', text: `\nDigest  ${'0'.repeat(64)}\ndigest: ${'0'.repeat(64)}\nApproved  by ann (command line)\n` },
  { what: 'text from right to left', text: '\u202eadA\u202c \u2066x\u2069' },
  { what: 'characters without width', text: 'A\u200bd\u200da\ufeff' },
  { what: 'letters of a tag', text: `Ada${String.fromCodePoint(0xe0061, 0xe0062)}` },
  { what: 'separators of lines', text: 'Ada\u2028tool: harmless\u2029' },
  { what: 'markup', text: '"><script>alert(1)</script><img src=x onerror=alert(1)>' },
  { what: 'an empty text', text: '' },
];

/** A client whose person sees the question and does not decide. */
function reader(): CallClient & { readonly questions: Question[] } {
  const questions: Question[] = [];
  return {
    questions,
    elicit: async (question) => {
      questions.push(question);
      return { action: 'cancel' };
    },
  };
}

/** Everything that people and programs read about a call, apart from its result. */
async function shownOf({ kernel, events, log, ends }: World, id: string): Promise<string> {
  return JSON.stringify([await kernel.approvals.get(id), await kernel.approvals.list(), events, log, ends]);
}

describe('approvals: a text in the arguments', () => {
  for (const { what, text } of texts)
    it(`stands in the question as what it is: ${what}`, async () => {
      const world = await attackWorld();
      const client = reader();
      const parameters = { to: text, note: text, data: { [text]: text } };
      const held = await world.hold(parameters, { client, caller: `eve ${text.replaceAll('\u0000', '')}` });
      const [{ message } = { message: '' }] = client.questions;
      expect(message).to.not.match(unsafe);
      // Each line begins with a word of ours or a quotation mark, and the block is closed once.
      const [question, open, ...lines] = message.split('\n');
      expect([question?.startsWith('Run "pay"? '), open, lines.at(-1), lines.filter((line) => line === '```').length]).to.deep.equal([
        true,
        '```',
        '```',
        1,
      ]);
      for (const line of lines.slice(0, -1))
        expect(line).to.match(/^(tool|provider|caller|reason|destination|parameters): |^parameters:$|^ {2}"/);
      const details = await world.kernel.approvals.get(held.id);
      expect(details.shown.parameters).to.deep.equal(parameters);
      const screen = { columns: 80, hasColors: false };
      const printed = await detailsText(details, screen);
      expect(printed).to.not.match(unsafe);
      expect(printed.match(/^ *Digest .*$/gm), 'one digest').to.have.length(1);
      expect(printed).to.contain(details.digest);
      expect(await approvalTable([details], screen)).to.not.match(unsafe);
      expect(world.log.map((record) => record.message).join('')).to.not.match(unsafe);
      expect(world.effects).to.deep.equal([]);
    });

  const large = [
    { what: '1 MB in one of them', parameters: { to: 'Ada', note: 'x'.repeat(1_000_000) } },
    { what: '10,000 keys', parameters: { to: 'Ada', data: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key ${n}`, n])) } },
    { what: 'a depth of 60', parameters: { to: 'Ada', data: nested(60) } },
  ];
  for (const { what, parameters } of large)
    it(`is bound and stored whole, and is short in the question: ${what}`, async () => {
      const world = await attackWorld();
      const client = reader();
      const { id } = await world.hold(parameters, { client });
      const [{ message } = { message: '' }] = client.questions;
      expect(message.length).to.be.below(4000);
      if (what !== 'a depth of 60') expect(message).to.contain('shortened');
      expect((await world.kernel.approvals.get(id)).shown.parameters).to.deep.equal(parameters);
      await world.kernel.approvals.decide(id, yes);
      await world.pay(parameters);
      expect(world.effects).to.have.length(1);
      expect(JSON.parse(world.effects[0]?.body ?? '')).to.deep.equal(parameters);
    });
});

describe('approvals: a secret in the arguments', () => {
  const secret = 'hunter2-of-the-attacks';

  it('is in the request that runs, and nowhere that a person, the log or the store shows', async () => {
    const hook = await loopback((_, response) => json(response, {}));
    const keeper = definePlugin({ name: 'keeper', apiVersion, apply: (kernel) => kernel.maskAlso('DOOR', secret) });
    const world = await attackWorld({ serves: true, plugins: [keeper()], approvals: { webhooks: [{ ...desk, url: hook.url }] } });
    const client = reader();
    const parameters = { ...given, note: `the word is ${secret}`, data: { [secret]: [secret, Buffer.from(secret).toString('base64')] } };
    const { id } = await world.hold(parameters, { client });
    await until(() => hook.requests[0]);
    const stored = JSON.stringify(await world.store.list('', { limit: 10_000 }));
    const shown = [client.questions[0]?.message, hook.requests[0]?.body, await shownOf(world, id)];
    for (const text of [...shown, stored]) expect(text).to.not.contain(secret).and.not.contain(Buffer.from(secret).toString('base64'));
    for (const text of shown) expect(text).to.contain('[secret DOOR]');
    expect(stored).to.not.contain('Ada');
    await world.kernel.approvals.decide(id, { ...yes, reason: `it is ${secret}` });
    await world.pay(parameters);
    expect(world.effects[0]?.body).to.contain(secret);
    expect(await shownOf(world, id), 'afterwards').to.not.contain(secret);
  });

  it('is masked in the message to the one whose answer comes too late', async () => {
    const keeper = definePlugin({ name: 'keeper', apiVersion, apply: (kernel) => kernel.maskAlso('DOOR', secret) });
    const world = await attackWorld({ plugins: [keeper()] });
    const { id } = await world.hold(given);
    await world.kernel.approvals.decide(id, { ...yes, approve: false, reason: `because of ${secret} ${'and so on '.repeat(1000)}` });
    const refused = await world.kernel.approvals.decide(id, yes).catch((error: Error) => error.message);
    expect(refused).to.contain('refused').and.not.contain(secret);
    expect(String(refused).length).to.be.below(1000);
  });
});

function nested(depth: number): Readonly<Record<string, unknown>> {
  let value: Readonly<Record<string, unknown>> = { end: true };
  for (let n = 0; n < depth; n++) value = { in: value };
  return value;
}

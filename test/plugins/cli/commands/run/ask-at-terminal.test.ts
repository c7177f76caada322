import { expect } from 'chai';
import type { Terminal } from '../../../../../kernel/index.ts';
import { askAtTerminal } from '../../../../../plugins/cli/commands/run/ask-at-terminal.ts';
import { person } from './person.ts';

const enter = '\r';
const down = '\u001b[B';

function ask(terminal: Terminal, properties: object, required: readonly string[], stop = new AbortController()) {
  return askAtTerminal(terminal, () => {}, stop)({ message: 'Tell me', schema: { type: 'object', properties, required } });
}

describe('a question to the person at the terminal', () => {
  const members = [
    { title: 'a text', schema: { type: 'string', title: 'Name' }, keys: `Ada${enter}`, shows: 'Name', gives: 'Ada' },
    { title: 'the default of a text', schema: { type: 'string', default: 'Bob' }, keys: enter, shows: 'it', gives: 'Bob' },
    { title: 'a number', schema: { type: 'number', description: 'In metres' }, keys: `1.5${enter}`, shows: 'it: In metres', gives: 1.5 },
    { title: 'yes or no, which is no', schema: { type: 'boolean' }, keys: enter, shows: 'it', gives: false },
    { title: 'yes or no, by default yes', schema: { type: 'boolean', default: true }, keys: enter, shows: 'it', gives: true },
    {
      title: 'a choice',
      schema: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
      keys: `${down}${enter}`,
      shows: 'Medium',
      gives: 'm',
    },
    {
      title: 'a choice with titles',
      schema: { type: 'string', oneOf: [{ const: 's', title: 'Small' }] },
      keys: enter,
      shows: 'Small',
      gives: 's',
    },
    { title: 'the default of a choice', schema: { type: 'string', enum: ['s', 'm'], default: 'm' }, keys: enter, shows: 'm', gives: 'm' },
    {
      title: 'several choices',
      schema: { type: 'array', items: { anyOf: [{ const: 'a' }, { const: 'b' }] } },
      keys: ` ${down} ${enter}`,
      shows: 'b',
      gives: ['a', 'b'],
    },
    {
      title: 'what would steer the terminal as escapes',
      schema: { type: 'string', title: 'A\u001b[2J' },
      keys: `x${enter}`,
      shows: 'A\\u001b[2J',
      gives: 'x',
    },
    {
      title: 'a default that would steer the terminal as it is, and shows it as escapes',
      schema: { type: 'string', default: 'A\u001b[2J' },
      keys: enter,
      shows: 'A\\u001b[2J',
      gives: 'A\u001b[2J',
    },
    {
      title: 'another answer after one that a pattern refuses, which is shown as escapes',
      schema: { type: 'string', pattern: '^a\u009b?$' },
      keys: enter,
      shows: 'it',
      next: ['a\\u009b?', `a${enter}`] as const,
      gives: 'a',
    },
  ];
  for (const { title, schema, keys, shows, gives, ...more } of members) {
    it(`takes ${title}`, async () => {
      const answer = await ask(person([shows, keys], ...('next' in more ? [more.next] : [])), { it: schema }, ['it']);
      expect(answer).to.deep.equal({ action: 'accept', content: { it: gives } });
    });
  }

  const optional = [
    { title: 'a text', schema: { type: 'string' } },
    { title: 'a number', schema: { type: 'integer', minimum: 1 } },
    { title: 'a choice', schema: { type: 'string', enum: ['a'] } },
  ];
  for (const { title, schema } of optional) {
    it(`leaves ${title} out that is optional and was not given`, async () => {
      expect(await ask(person(['(optional)', enter]), { it: schema }, [])).to.deep.equal({ action: 'accept', content: {} });
    });
  }

  it('asks again for a value that does not fit', async () => {
    const terminal = person(['it', `x${enter}`], ['Expected a whole number', `\u007f2${enter}`]);
    expect(await ask(terminal, { it: { type: 'integer' } }, ['it'])).to.deep.equal({ action: 'accept', content: { it: 2 } });
  });

  it('stops the call when the person cancels it', async () => {
    const stop = new AbortController();
    expect(await ask(person(['it', '\u0003']), { it: { type: 'string' } }, ['it'], stop)).to.deep.equal({ action: 'cancel' });
    expect(stop.signal.reason).to.include({ code: 'ABORTED' });
  });

  it('goes away with the call', async () => {
    const stop = new AbortController();
    const call = new AbortController();
    const terminal = person();
    const question = askAtTerminal(
      terminal,
      () => {},
      stop,
    )({ message: 'Tell me', schema: { type: 'object', properties: { it: { type: 'string' } }, required: ['it'] } }, call.signal);
    call.abort();
    expect(await question).to.deep.equal({ action: 'cancel' });
    expect(stop.signal.aborted).to.equal(false);
  });
});

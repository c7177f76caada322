import { expect } from 'chai';
import { token } from '../plugins/mcp/support/wire.ts';
import { WireClient } from '../plugins/mcp/support/wire-client.ts';
import { act, type Process, Site, script, stranger, yes } from './approval-site.ts';

const shell = act('{ type: command, command: ./act.sh }');
const basic = { 'tools/act.yaml': shell, 'tools/act.sh': script };

/** A session whose client can ask, and its call that waits for the person. */
async function waiting(server: Process, as = token) {
  const session = await WireClient.open(server.port, as, { capabilities: { elicitation: {} } });
  const stream = await session.startCall('act', { to: 'Ada' }, { id: 'call' });
  const { message } = await stream.first((event) => event.message?.method === 'elicitation/create');
  return { session, stream, question: message?.id };
}

const answerTo = (id: unknown) => ({ id, result: yes });

describe('a yes in a session', () => {
  it('runs the call once, however often it comes', async () => {
    const site = await Site.with(basic);
    const server = await site.open();
    const { session, stream, question } = await waiting(server);
    await Promise.all([1, 2, 3].map(() => session.post(answerTo(question))));
    await stream.first(({ message }) => message?.id === 'call');
    await session.post(answerTo(question));
    await session.call('act', { to: 'Ada', requestState: 'x' });
    expect(await site.runs()).to.equal(1);
  });

  it('counts for nothing after the server was killed', async () => {
    const site = await Site.with(basic);
    const first = await site.open();
    const { session, question } = await waiting(first);
    await first.kill();
    const second = await site.open();
    const revived = session.at(second.port);
    expect((await revived.post(answerTo(question))).status).to.be.oneOf([202, 400, 404]);
    expect((await revived.request('ping')).result).to.deep.equal({});
    expect(await site.runs()).to.equal(0);
  });

  for (const [what, as] of [
    ['another session of its caller', token],
    ['the session of another caller', stranger],
  ] as const)
    it(`counts for nothing in ${what}`, async () => {
      const site = await Site.with(basic);
      const server = await site.open();
      const { session, stream, question } = await waiting(server);
      const other = await WireClient.open(server.port, as, { capabilities: { elicitation: {} } });
      await other.post(answerTo(question));
      await other.at(server.port, { 'mcp-session-id': other.sessionId }).post(answerTo(question));
      expect(await site.runs()).to.equal(0);
      await session.post({ id: question, result: { action: 'decline' } });
      await stream.first(({ message }) => message?.id === 'call');
      expect(await site.runs()).to.equal(0);
    });

  it('is not given by the state of a single request, nor a single request by the yes of a session', async () => {
    const site = await Site.with(basic);
    const server = await site.open();
    const asked = await server.ask();
    const { session, stream, question } = await waiting(server);
    const plain = await WireClient.open(server.port);
    const call = { name: 'act', arguments: { to: 'Ada' }, ...asked };
    expect(JSON.stringify(await plain.request('tools/call', call))).to.include('APPROVAL_REQUIRED');
    await server.call({ asked: { ...asked, inputResponses: { [String(question)]: yes } } });
    expect(await site.runs()).to.equal(0);
    await session.post(answerTo(question));
    await stream.first(({ message }) => message?.id === 'call');
    expect(await site.runs()).to.equal(1);
  });

  for (const [what, change, refusal] of [
    ['another definition', { 'tools/act.yaml': shell.replace('Acts.', 'Acts for you.') }, /APPROVAL_DENIED.*since the question/],
    ['another program', { 'tools/act.sh': `${script}# more\n` }, /APPROVAL_REQUIRED.*its code is not what was loaded/],
  ] as const)
    it(`counts for nothing when the server was reloaded with ${what} while the person read`, async () => {
      const site = await Site.with(basic);
      const server = await site.open();
      const { session, stream, question } = await waiting(server);
      await site.write(change);
      server.server.child.kill('SIGHUP');
      await server.server.waitFor(/reloaded because of SIGHUP/);
      await session.post(answerTo(question));
      const { message } = await stream.first((event) => event.message?.id === 'call');
      expect(JSON.stringify(message)).to.match(refusal);
      expect(await site.runs()).to.equal(0);
    });
});

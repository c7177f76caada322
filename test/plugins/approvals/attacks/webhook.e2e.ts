import { expect } from 'chai';
import { json, loopback } from '../../../support/loopback.ts';
import { until } from '../../../support/until.ts';
import { changeNothing, given } from './attack.ts';
import { attackWorld } from './attack-world.ts';
import { answerTo, desk, sendAnswer } from './signed-answer.ts';
import { webhookForged } from './webhook-forged.ts';
import { webhookRepeated } from './webhook-repeated.ts';

describe('approvals: changes nothing, and is recorded:', () => {
  changeNothing(webhookForged);
  changeNothing(webhookRepeated);
});

describe('approvals: a webhook', () => {
  it('approves with a signed answer, so that no attack fails for another reason', async () => {
    const world = await attackWorld({ serves: true, approvals: { webhooks: [desk] } });
    const held = await world.hold(given);
    const { status, body } = await sendAnswer(world, answerTo(held));
    expect(status, body).to.equal(200);
    await world.pay(given);
    expect(world.effects).to.have.length(1);
  });

  for (const status of [301, 302, 303, 307, 308])
    it(`is not followed where it answers ${status} with the address of an internal service`, async () => {
      const internal = await loopback((_, response) => json(response, {}));
      const hook = await loopback((_, response) => response.writeHead(status, { location: `${internal.url}/admin` }).end());
      const world = await attackWorld({ serves: true, approvals: { webhooks: [{ ...desk, url: hook.url }] } });
      await world.hold(given);
      await until(() => world.log.some(({ message }) => message.includes('redirects are not followed')) || undefined);
      expect(hook.requests.length).to.be.at.least(1);
      expect(internal.requests).to.deep.equal([]);
      expect(JSON.stringify(world.log)).to.not.contain(internal.url);
    });

  it('takes no message of the server back as an answer', async () => {
    const hook = await loopback((_, response) => json(response, {}));
    const world = await attackWorld({ serves: true, approvals: { webhooks: [{ ...desk, url: hook.url }] } });
    const held = await world.hold(given);
    const message = await until(() => hook.requests[0]);
    const header = (name: string): string => String(message.headers[name]);
    const sent = { id: header('webhook-id'), timestamp: header('webhook-timestamp'), signature: header('webhook-signature') };
    const { status } = await sendAnswer(world, { ...sent, body: message.body });
    expect(status).to.equal(400);
    const { status: after, decisions } = await world.kernel.approvals.get(held.id);
    expect([after, decisions]).to.deep.equal(['waiting', []]);
    expect(world.events.filter(({ event }) => event === 'rejected')).to.have.length(1);
  });
});

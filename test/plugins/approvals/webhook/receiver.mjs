import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret, PORT: port = 4000 } = process.env;
const sign = (id, time, body) => Buffer.from(`v1,${createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64')}`);
const isEqual = (one, other) => one.length === other.length && timingSafeEqual(one, other);

const server = createServer(async (request, response) => {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = request.headers;
  const body = Buffer.concat(await request.toArray()).toString();
  const isTimely = Math.abs(Date.now() / 1000 - Number(time)) <= 300;
  const isSigned = isTimely && signatures.split(' ').some((one) => isEqual(Buffer.from(one), sign(id, time, body)));
  response.writeHead(isSigned ? 204 : 401).end();
  if (isSigned) await answer(JSON.parse(body));
});

/** Refuses what is dangerous, and approves the rest. Yours asks a person, with `approval.shown`. */
async function answer({ approval, answer: { url, digest } }) {
  if (url === undefined) return; // No HTTP server runs: a person decides at a terminal.
  const decision = approval.risk === 'high' ? 'refuse' : 'approve';
  const [id, time, body] = [randomUUID(), Math.floor(Date.now() / 1000), JSON.stringify({ approval: approval.id, digest, decision })];
  const signed = { 'webhook-id': id, 'webhook-timestamp': `${time}`, 'webhook-signature': `${sign(id, time, body)}` };
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...signed }, body });
  process.stdout.write(`${reply.status} ${await reply.text()}\n`);
}

server.listen(port, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));

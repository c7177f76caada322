import { send } from '../../plugins/mcp/support/wire.ts';
import { WireClient } from '../../plugins/mcp/support/wire-client.ts';
import { askingClient, plainClient } from '../approvals/clients.ts';
import { tokenOf } from '../approvals/site.ts';
import { caller, operator } from './site.ts';

/** Failures in a row after which a circuit opens. */
const failuresOfCircuit = 5;

/** Does at one server, over HTTP, all that the dashboard shows. `round`: makes the parameters different from those of before. */
export async function traffic(port: number, round: string): Promise<void> {
  await send(port, { headers: { authorization: 'Bearer another' }, body: '{}' });
  const client = await WireClient.open(port, tokenOf(caller));
  for (let call = 0; call < 10; call++) await client.call('plain', { key: `${call}` });
  for (let call = 0; call < failuresOfCircuit; call++) await client.call('down');
  await client.call('fail', { key: round });
  await client.call('a_tool_that_is_not_there');
  for (const key of [round, round]) await client.call('cached', { key });
  await client.call('own_work');
  await client.call('notes_echo', { text: round });
  await client.call('submit', { key: `${port} ${round}` });
  await approvals(port, round);
  await (await WireClient.open(port, tokenOf(operator))).call('acme_read');
}

/** One call that a person approves, one that is refused, and one that waits. */
async function approvals(port: number, round: string): Promise<void> {
  const asking = await askingClient(port, caller, async (question) => !question.includes('refuse'));
  for (const key of ['approve', 'refuse']) await asking.act({ key: `${key} ${port} ${round}` });
  await asking.close();
  const plain = await plainClient(port, caller);
  await plain.act({ key: `wait ${port} ${round}` });
  await plain.close();
}

import { expect } from 'chai';
import { until } from '../../support/until.ts';
import type { Era, TracedClient } from './client.ts';
import type { ShopService } from './service.ts';

/** One thing that clients do, whose spans the golden file has. */
export interface Scenario {
  readonly name: string;
  /** The eras that have it. @default both */
  readonly eras?: readonly Era[];
  run(client: TracedClient, service: ShopService): Promise<unknown>;
}

const textIn = (result: unknown): string => JSON.stringify(result);

export const scenarios: readonly Scenario[] = [
  {
    name: 'list of the tools',
    run: async (client) => expect(textIn(await client.list())).to.include('shop_hello'),
  },
  {
    name: 'call that waits for nothing',
    run: async (client) => expect(textIn(await client.call('shop_hello'))).to.include('Hello.'),
  },
  {
    name: 'call of a service',
    run: async (client) => expect(textIn(await client.call('shop_find_order', { id: 'a-1' }))).to.include('a-1'),
  },
  {
    name: 'tool error',
    run: async (client) => expect(textIn(await client.call('shop_fail'))).to.include('"isError":true'),
  },
  {
    name: 'refused by its person',
    run: async (client) => {
      client.answer = 'decline';
      expect(textIn(await client.call('shop_cancel_order', { id: 'a-1' }))).to.include('"code":"APPROVAL_');
      client.answer = 'accept';
    },
  },
  {
    name: 'approved by its person',
    run: async (client) => expect(textIn(await client.call('shop_cancel_order', { id: 'a-1' }))).to.include('a-1'),
  },
  {
    name: 'cancelled by its client',
    run: async (client, service) => {
      const controller = new AbortController();
      const watched = service.watched();
      const call = client.call('shop_watch', {}, controller.signal).catch((error: unknown) => error);
      const { left } = await watched;
      controller.abort('no longer needed');
      await left;
      expect(await call).to.be.instanceOf(Error);
    },
  },
  {
    name: 'timeout',
    run: async (client) => expect(textIn(await client.call('shop_dawdle'))).to.include('TIMEOUT'),
  },
  {
    name: 'task',
    eras: ['2026-07-28'],
    run: async (client, service) => {
      const begun = await client.request('tools/call', { name: 'shop_report', arguments: {} });
      expect(begun['resultType'], textIn(begun)).to.equal('task');
      const { taskId } = begun;
      expect(await client.request('tasks/get', { taskId })).to.include({ status: 'working' });
      service.report();
      await until(async () => {
        // Not a part of the scenario: how often it asks depends on the machine.
        const { traceparent } = client;
        client.traceparent = '';
        const { status } = await client.request('tasks/get', { taskId });
        client.traceparent = traceparent;
        return status === 'completed' ? true : undefined;
      });
    },
  },
  {
    name: 'long call of a client without tasks',
    run: async (client, service) => {
      service.report();
      expect(textIn(await client.call('shop_report'))).to.include('rows');
    },
  },
  {
    name: 'resource',
    run: async (client) => expect(textIn(await client.read('shop://terms'))).to.include('No refund.'),
  },
  {
    name: 'unknown resource',
    run: async (client) => {
      const error = await client.read('shop://nothing').catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(Error);
    },
  },
  {
    name: 'prompt',
    run: async (client) => expect(textIn(await client.prompt('shop_letter'))).to.include('Write a letter.'),
  },
  {
    name: 'call of another MCP server',
    run: async (client) => expect(textIn(await client.call('stock_count'))).to.include('7'),
  },
  {
    name: 'durable call, which another process runs',
    run: async (client) => expect(textIn(await client.call('shop_find_later', { id: 'a-1' }))).to.include('a-1'),
  },
  {
    name: 'unknown tool',
    run: async (client) => {
      const error = await client.call('shop_invented').catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(Error);
    },
  },
];

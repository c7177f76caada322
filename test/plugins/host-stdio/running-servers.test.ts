import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { ToolkitError } from '../../../kernel/index.ts';
import type { HostedServer } from '../../../plugins/host-stdio/host-parts.ts';
import { RunningServers } from '../../../plugins/host-stdio/running-servers.ts';
import { rejection } from '../../support/rejection.ts';

/** A server that writes down how it was stopped. */
function server(ended: Promise<void> = new Promise(() => {})) {
  const stops: unknown[] = [];
  const hosted: HostedServer = { url: undefined, token: undefined, kernel: undefined, ended, stop: async (how) => void stops.push(how) };
  return { hosted, stops };
}

const wanted = new AbortController().signal;

describe('the servers of a host', () => {
  it('have ids of their own, and are stopped once', async () => {
    const servers = new RunningServers(() => {});
    const [one, two] = [server(), server()];
    const { id } = await servers.start(Promise.resolve(one.hosted), wanted);
    expect((await servers.start(Promise.resolve(two.hosted), wanted)).id).to.not.equal(id);
    await servers.stop(id);
    expect([one.stops, two.stops]).to.deep.equal([[undefined], []]);
    await rejection(servers.stop(id), 'INVALID_PARAMETERS');
  });

  it('are told when they end by themselves, and are no longer there', async () => {
    const ends: string[] = [];
    let end = (): void => {};
    const servers = new RunningServers((id) => void ends.push(id));
    const { id } = await servers.start(Promise.resolve(server(new Promise<void>((resolve) => (end = resolve))).hosted), wanted);
    end();
    await setImmediate();
    expect(ends).to.deep.equal([id]);
    await rejection(servers.stop(id), 'INVALID_PARAMETERS');
  });

  it('are not told when they were stopped', async () => {
    const ends: string[] = [];
    let end = (): void => {};
    const servers = new RunningServers((id) => void ends.push(id));
    const { id } = await servers.start(Promise.resolve(server(new Promise<void>((resolve) => (end = resolve))).hosted), wanted);
    await servers.stop(id);
    end();
    await setImmediate();
    expect(ends).to.deep.equal([]);
  });

  it('do not stay where nobody wants them any more when they have started', async () => {
    const servers = new RunningServers(() => {});
    const [unwanted, late] = [server(), server()];
    const reason = new ToolkitError('ABORTED', 'The request was cancelled by its caller.');
    await rejection(servers.start(Promise.resolve(unwanted.hosted), AbortSignal.abort(reason)), 'ABORTED');
    await servers.close(0);
    await rejection(servers.start(Promise.resolve(late.hosted), wanted), 'ABORTED');
    expect([unwanted.stops, late.stops]).to.deep.equal([[{ drainMs: 0 }], [{ drainMs: 0 }]]);
  });

  it('are all stopped with the time that running calls have, also where one cannot be', async () => {
    const servers = new RunningServers(() => {});
    const broken: HostedServer = { ...server().hosted, stop: () => Promise.reject(new Error('no')) };
    const other = server();
    await servers.start(Promise.resolve(broken), wanted);
    await servers.start(Promise.resolve(other.hosted), wanted);
    await servers.close(5);
    expect(other.stops).to.deep.equal([{ drainMs: 5 }]);
  });
});

/** A rolling update: each of three servers is replaced by another, while clients call through a proxy that asks which of them are ready. */
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { forFile, until } from '../e2e/program.ts';
import { RealServer } from './postgres/server.ts';
import { type AnyClient, legacyClient, modernClient } from './replicas/clients.ts';
import { ReadyPorts } from './replicas/ready-ports.ts';
import { type Replica, Replicas } from './replicas/replicas.ts';
import { RoundRobin } from './replicas/round-robin.ts';
import { World } from './replicas/world.ts';

const clientsOfEra = 3;

/** How long a client thinks between two calls: without it they take the processors from the servers that start. In milliseconds. */
const thinkMs = 50;

describe('three servers that are replaced one after the other', function () {
  this.timeout(900_000);

  const agent = new Agent({ keepAlive: true });
  const proxy = new RoundRobin(agent);
  const ready = new ReadyPorts((ports) => proxy.use(ports));
  const world = new World();
  let database: RealServer;
  let replicas: Replicas;
  let running: Replica[] = [];

  before(() =>
    forFile(async () => {
      database = await RealServer.start();
      await world.open();
      replicas = await Replicas.make(await database.makeDatabase(), world.url);
      await proxy.open([]);
      running = await Promise.all([1, 2, 3].map(added));
    }),
  );

  after(async () => {
    ready.close();
    agent.destroy();
    await proxy.close();
    await world.close();
    for (const { server } of running) {
      server.child.kill('SIGKILL');
      await server.exit;
    }
    await database.undo();
    await database.stop();
  });

  async function added(): Promise<Replica> {
    const replica = await replicas.start();
    await ready.add(replica.port);
    return replica;
  }

  it('lose no call: neither those that run at the time nor those that come meanwhile', async () => {
    const clients = await Promise.all(
      [legacyClient, modernClient].flatMap((open) => Array.from({ length: clientsOfEra }, () => open(proxy.url))),
    );
    let isOver = false;
    let done = 0;
    const calling = clients.map(async (client, number) => {
      for (let call = 0; !isOver; call++) {
        const key = `${number}-${call}`;
        const name = call % 3 === 0 ? 'steps' : 'plain';
        const options = name === 'steps' ? { onprogress: () => {} } : {};
        expect(await client.call(name, { key }, options)).to.equal(`${name} ${key}`);
        done++;
        await wait(thinkMs);
      }
    });
    calling.forEach((calls) => void calls.catch(() => {}));
    const counts: number[] = [];
    for (const [number, old] of [...running].entries()) {
      running.push(await added());
      const keys = clients.map((_, client) => `/held-${number}-${client}`);
      const held = clients.map((client, index) => client.call('hold', { key: keys[index] }));
      await Promise.all(keys.map((key, index) => world.comes(key, held[index])));
      const before = done;
      old.server.child.kill('SIGTERM');
      await ready.leaves(old.port);
      await until(() => done > before || undefined);
      await Promise.all(keys.map((key) => world.release(key)));
      expect(await Promise.all(held)).to.deep.equal(clients.map(() => 'released'));
      expect(await old.server.exit).to.deep.equal({ code: 0, signal: null });
      ready.remove(old.port);
      running.shift();
      counts.push(done - before);
    }
    isOver = true;
    await Promise.all(calling);
    process.stdout.write(`    ${done} calls, ${counts.join(', ')} of them while a server left; ${proxy.broken} connections broke\n`);
    expect(Math.min(...counts)).to.be.above(0);
    expect(proxy.broken).to.equal(0);
    await Promise.all(clients.map((client: AnyClient) => client.end()));
  });
});

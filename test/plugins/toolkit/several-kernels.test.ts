import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import type { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';

interface Kitchen {
  readonly toolkit: Toolkit;
  readonly logger: ReturnType<typeof memoryLogger>;
}

const secretOf = (name: string): string => `secret-of-${name}-Zq7`;

/** A toolkit with its own folder, secret, policy, approvals and a tool of one name with its own definition. */
async function kitchen(name: string, url: string, effect: 'allow' | 'deny'): Promise<Kitchen> {
  const cwd = await temporaryFolder({
    'who.txt': name,
    'policy.yaml': `rules:\n  - match: { tool: time_now }\n    effect: ${effect}\n    reason: as ${name} says\n`,
    'tools/order.yaml': `name: order\ndescription: Orders from ${name}.\nexecution: { type: http, method: get, url: "${url}/${name}", headers: { X-Token: "{KITCHEN_TOKEN}" } }\nrequires_approval: true\nrisk: low\n`,
  });
  const logger = memoryLogger();
  const toolkit = await coreToolkit({
    cwd,
    toolPaths: ['tools'],
    logger,
    secretResolver: { resolvers: [{ type: 'env', env: { KITCHEN_TOKEN: secretOf(name) } }] },
    plugins: [approvalGate({ mode: 'elicit', onApproval: () => effect === 'allow' })],
  });
  return { toolkit, logger };
}

describe('several toolkits in one process', () => {
  let north: Kitchen;
  let south: Kitchen;
  let sent: string[];

  beforeEach(async () => {
    sent = [];
    const { url } = await loopback(async ({ url: place, headers }, response) => {
      await setImmediate();
      sent.push(`${place} ${headers['x-token']}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ token: headers['x-token'] }));
    });
    [north, south] = await Promise.all([kitchen('north', url, 'allow'), kitchen('south', url, 'deny')]);
  });

  it('use their own secrets, folders and definitions, at the same time', async () => {
    const both = [north, south].flatMap((one) => Array.from({ length: 10 }, () => one));
    const [orders, files] = await Promise.all([
      Promise.all(both.map(({ toolkit }) => toolkit.execute('order'))),
      Promise.all(both.map(({ toolkit }) => toolkit.execute('fs_read_file', { path: 'who.txt' }))),
    ]);
    expect(orders).to.deep.equal(Array(20).fill({ token: '[secret KITCHEN_TOKEN]' }));
    const texts = files.map((file) => (file as { content: string }).content);
    expect(texts).to.deep.equal(both.map(({ toolkit }) => (toolkit === north.toolkit ? 'north' : 'south')));
    expect([...sent].sort()).to.deep.equal(['north', 'south'].flatMap((name) => Array(10).fill(`/${name} ${secretOf(name)}`)));
  });

  it('mask their own secrets and not those of another, and log to their own logger', async () => {
    await Promise.all([north.toolkit.execute('order'), south.toolkit.execute('order')]);
    north.toolkit.getLogger().info(`${secretOf('north')} ${secretOf('south')}`);
    expect(north.logger.records.at(-1)?.message).to.equal(`[secret KITCHEN_TOKEN] ${secretOf('south')}`);
    expect(JSON.stringify(south.logger.records)).to.not.include('secret-of-north');
  });

  it('decide by their own policy and their own approvals', async () => {
    expect(await north.toolkit.execute('time_now')).to.include.keys('iso');
    const error = await rejection(south.toolkit.execute('time_now'), 'POLICY_DENIED');
    expect(error.message).to.include('as south says');
    await north.toolkit.execute('order', {}, { origin: 'model' });
    await rejection(south.toolkit.execute('order', {}, { origin: 'model' }), 'APPROVAL_DENIED');
    expect(sent).to.deep.equal([`/north ${secretOf('north')}`]);
  });

  it('leave the others open when one is closed', async () => {
    await south.toolkit.close();
    await rejection(south.toolkit.execute('order'), 'ABORTED');
    expect(await north.toolkit.execute('order')).to.deep.equal({ token: '[secret KITCHEN_TOKEN]' });
  });
});

import { type ChildProcess, execFile } from 'node:child_process';
import { type FSWatcher, watch } from 'node:fs';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Effect } from '../../../kernel/index.ts';
import { compiled } from '../../support/compiled.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { awaitedLogger } from './awaited-logger.ts';
import { type Policed, policed } from './policed.ts';

const denyPay = 'rules:\n  - name: no-pay\n    match: { tool: pay }\n    effect: deny\n';
const askPay = 'rules:\n  - { name: ask-pay, match: { tool: pay }, effect: ask }\n';
const pay = { tool: 'pay' };
const again = 'policy loaded again from';
const kept = 'The rules that were loaded before stay in force.';

/** Resolves once a call of `pay` has this effect, looked at again after each of the records. One change of a file may be told more than once. */
async function inForce(effect: Effect, { effectOf }: Policed, next: () => Promise<void>): Promise<void> {
  for (;;) {
    const loaded = next();
    if ((await effectOf(pay)) === effect) return;
    await loaded;
  }
}

describe('a policy file that changes while the kernel runs', () => {
  it('is in force once it is written', async () => {
    const { logger, next } = awaitedLogger(again);
    const policy = await policed({}, { files: { 'policy.yaml': denyPay }, logger });
    expect(await policy.effectOf(pay)).to.equal('deny');
    await writeFile(path.join(policy.folder, 'policy.yaml'), askPay);
    await inForce('ask', policy, next);
  });

  it('may be replaced by renaming, as editors do, again and again', async () => {
    const { logger, next } = awaitedLogger(again);
    const policy = await policed({}, { files: { 'policy.yaml': denyPay }, logger });
    for (const [text, effect] of [
      [askPay, 'ask'],
      [denyPay, 'deny'],
    ] as const) {
      await writeFile(path.join(policy.folder, 'policy.new'), text);
      await rename(path.join(policy.folder, 'policy.new'), path.join(policy.folder, 'policy.yaml'));
      await inForce(effect, policy, next);
    }
  });

  for (const [what, text] of Object.entries({
    'a mistake': 'rules: [{ effect: denied }]',
    'nothing in it': '',
    'a broken condition': 'rules: [{ effect: ask, when: "(" }]',
  })) {
    it(`leaves the rules as they were when it has ${what}, and says so`, async () => {
      const { logger, next } = awaitedLogger(kept);
      const policy = await policed({}, { files: { 'policy.yaml': denyPay }, logger });
      const { effectOf, folder } = policy;
      const refused = next();
      await writeFile(path.join(folder, 'policy.yaml'), text);
      await refused;
      expect(await effectOf(pay)).to.equal('deny');
      expect(logger.records.filter(({ level }) => level === 'error').map(({ message }) => message)[0]).to.match(
        /^The policy is refused: .*policy\.yaml/,
      );
      await writeFile(path.join(folder, 'policy.yaml'), askPay);
      await inForce('ask', policy, () => next(again));
    });
  }

  it('leaves the rules as they were when it is removed, and is taken when it comes back', async () => {
    const { logger, next } = awaitedLogger(kept);
    const policy = await policed({}, { files: { 'policy.yaml': denyPay }, logger });
    const { effectOf, folder } = policy;
    const refused = next();
    await rm(path.join(folder, 'policy.yaml'));
    await refused;
    expect(await effectOf(pay)).to.equal('deny');
    await writeFile(path.join(folder, 'policy.yaml'), askPay);
    await inForce('ask', policy, () => next(again));
  });

  it('may come into being while a server runs', async () => {
    const { logger, next } = awaitedLogger(again);
    const policy = await policed({}, { logger });
    await policy.kernel.serve();
    expect(await policy.effectOf(pay)).to.equal('allow');
    await writeFile(path.join(policy.folder, 'policy.yaml'), denyPay);
    await inForce('deny', policy, next);
  });

  it('may be a link into a folder that is exchanged as a whole, as Kubernetes mounts are', async () => {
    const { logger, next } = awaitedLogger(again);
    const files = { 'one/policy.yaml': denyPay, 'two/policy.yaml': askPay };
    const policy = await policed({}, { files, logger });
    const { folder, kernel } = policy;
    await kernel.serve();
    await symlink('one', path.join(folder, 'current'));
    await symlink('current/policy.yaml', path.join(folder, 'policy.yaml'));
    await inForce('deny', policy, next);
    await symlink('two', path.join(folder, 'next'));
    await rename(path.join(folder, 'next'), path.join(folder, 'current'));
    await rm(path.join(folder, 'one'), { recursive: true });
    await inForce('ask', policy, next);
  });

  it('may be reached over a link that leads elsewhere while the old folder stays', async () => {
    const { logger, next } = awaitedLogger(again);
    const policy = await policed({}, { files: { 'one/policy.yaml': denyPay, 'two/policy.yaml': askPay }, logger });
    const { folder, kernel } = policy;
    await symlink('one', path.join(folder, 'current'));
    await symlink('current/policy.yaml', path.join(folder, 'policy.yaml'));
    await kernel.serve();
    expect(await policy.effectOf(pay)).to.equal('deny');
    await symlink('two', path.join(folder, 'next'));
    await rename(path.join(folder, 'next'), path.join(folder, 'current'));
    await inForce('ask', policy, next);
  });

  it('is read again where serving begins', async () => {
    const { effectOf, folder, kernel } = await policed({});
    await writeFile(path.join(folder, 'policy.yaml'), denyPay);
    await kernel.serve();
    expect(await effectOf(pay)).to.equal('deny');
  });

  it('refuses to serve when it came into being with a mistake', async () => {
    const { folder, kernel } = await policed({});
    await writeFile(path.join(folder, 'policy.yaml'), 'rules: none');
    await rejection(kernel.serve(), 'CONFIG_INVALID');
  });
});

describe('watching a policy file', () => {
  it('can be switched off', async () => {
    const { effectOf, folder, kernel, logger } = await policed({ watch: false }, { files: { 'policy.yaml': denyPay } });
    await kernel.serve();
    await writeFile(path.join(folder, 'policy.yaml'), askPay);
    expect(await effectOf(pay)).to.equal('deny');
    expect(logger.records.filter(({ level }) => level === 'info' || level === 'error')).to.deep.equal([]);
  });

  describe('ends', () => {
    let close: sinon.SinonSpy;

    beforeEach(async () => {
      const watcher = watch(await temporaryFolder());
      watcher.close();
      close = sinon.spy(Object.getPrototypeOf(watcher) as FSWatcher, 'close');
    });

    afterEach(() => close.restore());

    it('with the kernel', async () => {
      const { kernel } = await policed({}, { files: { 'policy.yaml': denyPay } });
      expect(close.callCount).to.equal(0);
      await kernel.close();
      expect(close.callCount).to.equal(1);
    });

    it('when the start is refused', async () => {
      await rejection(policed({}, { files: { 'policy.yaml': 'rules: none' } }), 'CONFIG_INVALID');
      expect(close.callCount).to.equal(1);
    });
  });

  let child: ChildProcess | undefined;
  afterEach(() => void child?.kill('SIGKILL'));

  it('keeps no process alive', async () => {
    const script = `
      import { createKernel } from '${path.resolve('kernel/index.ts')}';
      import { policyRules } from '${path.resolve('plugins/policy-rules/index.ts')}';
      const kernel = await createKernel({ plugins: [policyRules()], cwd: process.argv[2] });
      await kernel.serve();
      process.stdout.write('serves');
    `;
    const folder = await temporaryFolder({ 'policy.yaml': denyPay, 'host.mts': script });
    const running = promisify(execFile)(process.execPath, [await compiled(path.join(folder, 'host.mts')), folder]);
    child = running.child;
    expect((await running).stdout).to.equal('serves');
  });
});

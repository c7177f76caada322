import { execFile } from 'node:child_process';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { awaitedLogger } from './awaited-logger.ts';
import { policed } from './policed.ts';

const denyPay = 'rules:\n  - name: no-pay\n    match: { tool: pay }\n    effect: deny\n';
const askPay = 'rules:\n  - { name: ask-pay, match: { tool: pay }, effect: ask }\n';
const pay = { tool: 'pay' };
const again = 'policy loaded again from';
const kept = 'The rules that were loaded before stay in force.';

describe('a policy file that changes while the kernel runs', () => {
  it('is in force once it is written', async () => {
    const { logger, next } = awaitedLogger(again);
    const { effectOf, folder } = await policed({}, { files: { 'policy.yaml': denyPay }, logger });
    expect(await effectOf(pay)).to.equal('deny');
    const loaded = next();
    await writeFile(path.join(folder, 'policy.yaml'), askPay);
    await loaded;
    expect(await effectOf(pay)).to.equal('ask');
  });

  it('may be replaced by renaming, as editors do, again and again', async () => {
    const { logger, next } = awaitedLogger(again);
    const { effectOf, folder } = await policed({}, { files: { 'policy.yaml': denyPay }, logger });
    for (const [text, effect] of [
      [askPay, 'ask'],
      [denyPay, 'deny'],
    ] as const) {
      const loaded = next();
      await writeFile(path.join(folder, 'policy.new'), text);
      await rename(path.join(folder, 'policy.new'), path.join(folder, 'policy.yaml'));
      await loaded;
      expect(await effectOf(pay)).to.equal(effect);
    }
  });

  for (const [what, text] of Object.entries({
    'a mistake': 'rules: [{ effect: denied }]',
    'nothing in it': '',
    'a broken condition': 'rules: [{ effect: ask, when: "(" }]',
  })) {
    it(`leaves the rules as they were when it has ${what}, and says so`, async () => {
      const { logger, next } = awaitedLogger(kept);
      const { effectOf, folder } = await policed({}, { files: { 'policy.yaml': denyPay }, logger });
      const refused = next();
      await writeFile(path.join(folder, 'policy.yaml'), text);
      await refused;
      expect(await effectOf(pay)).to.equal('deny');
      expect(logger.records.filter(({ level }) => level === 'error').map(({ message }) => message)[0]).to.match(
        /^The policy is refused: .*policy\.yaml/,
      );
      const loaded = next(again);
      await writeFile(path.join(folder, 'policy.yaml'), askPay);
      await loaded;
      expect(await effectOf(pay)).to.equal('ask');
    });
  }

  it('leaves the rules as they were when it is removed, and is taken when it comes back', async () => {
    const { logger, next } = awaitedLogger(kept);
    const { effectOf, folder } = await policed({}, { files: { 'policy.yaml': denyPay }, logger });
    const refused = next();
    await rm(path.join(folder, 'policy.yaml'));
    await refused;
    expect(await effectOf(pay)).to.equal('deny');
    const loaded = next(again);
    await writeFile(path.join(folder, 'policy.yaml'), askPay);
    await loaded;
    expect(await effectOf(pay)).to.equal('ask');
  });

  it('may come into being while a server runs', async () => {
    const { logger, next } = awaitedLogger(again);
    const { effectOf, folder, kernel } = await policed({}, { logger });
    await kernel.serve();
    expect(await effectOf(pay)).to.equal('allow');
    const loaded = next();
    await writeFile(path.join(folder, 'policy.yaml'), denyPay);
    await loaded;
    expect(await effectOf(pay)).to.equal('deny');
  });

  it('may be a link into a folder that is exchanged as a whole, as Kubernetes mounts are', async () => {
    const { logger, next } = awaitedLogger(again);
    const files = { 'one/policy.yaml': denyPay, 'two/policy.yaml': askPay };
    const { effectOf, folder, kernel } = await policed({}, { files, logger });
    await kernel.serve();
    const first = next();
    await symlink('one', path.join(folder, 'current'));
    await symlink('current/policy.yaml', path.join(folder, 'policy.yaml'));
    await first;
    expect(await effectOf(pay)).to.equal('deny');
    const loaded = next();
    await symlink('two', path.join(folder, 'next'));
    await rename(path.join(folder, 'next'), path.join(folder, 'current'));
    await rm(path.join(folder, 'one'), { recursive: true });
    await loaded;
    expect(await effectOf(pay)).to.equal('ask');
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
      const { FSWatcher } = await import('chokidar');
      close = sinon.spy(FSWatcher.prototype, 'close');
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

  it('keeps no process alive', async () => {
    const folder = await temporaryFolder({ 'policy.yaml': denyPay });
    const script = `
      import { createKernel } from '${path.resolve('kernel/index.ts')}';
      import { policyRules } from '${path.resolve('plugins/policy-rules/index.ts')}';
      const kernel = await createKernel({ plugins: [policyRules()], cwd: ${JSON.stringify(folder)} });
      await kernel.serve();
      process.stdout.write('serves');
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      timeout: 20_000,
    });
    expect(stdout).to.equal('serves');
  });
});

import path from 'node:path';
import { expect } from 'chai';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { checkPlugin, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const onApproval = () => true;

describe('the options of the approval gate', () => {
  const wrong: readonly { options: Readonly<Record<string, unknown>>; says: string }[] = [
    { options: { mode: 'ask' }, says: 'mode' },
    { options: { Mode: 'elicit' }, says: 'Did you mean "mode"?' },
    { options: { elicitFallback: 'flag' }, says: 'elicitFallback has no effect with mode "flag". Use mode "elicit"' },
    { options: { mode: 'strict', onApproval, elicitFallback: 'flag' }, says: 'elicitFallback has no effect with mode "strict"' },
    { options: { mode: 'elicit', elicitFallback: 'none' }, says: 'elicitFallback' },
    { options: { onApproval }, says: 'onApproval has no effect with mode "flag". Use mode "elicit" or "strict"' },
    { options: { mode: 'elicit', onApproval: true }, says: 'onApproval expected a function' },
    { options: { mode: 'elicit', ttlMs: 1000 }, says: 'ttlMs has no effect with mode "elicit"' },
    { options: { mode: 'elicit', key: 'k'.repeat(32) }, says: 'key has no effect with mode "elicit"' },
    { options: { mode: 'strict', onApproval, ttlMs: 999 }, says: 'ttlMs' },
    { options: { mode: 'strict', onApproval, ttlMs: 86_400_001 }, says: 'ttlMs' },
    { options: { mode: 'strict', onApproval, key: '' }, says: 'key expected at least 32 bytes, received 0' },
    { options: { mode: 'elicit', stateFolder: '/state' }, says: 'stateFolder has no effect with mode "elicit"' },
    { options: { mode: 'strict', stateFolder: '/state' }, says: 'stateFolder has no effect without key' },
    {
      options: { mode: 'strict', key: 'k'.repeat(32), stateFolder: 'state' },
      says: 'stateFolder expected an absolute path, received "state"',
    },
    { options: { mode: 'strict', onApproval, key: 'k'.repeat(31) }, says: 'key expected at least 32 bytes, received 31' },
  ];
  for (const { options, says } of wrong) {
    it(`are refused with ${shown(options)}`, async () => {
      const error = await rejection(bareKernel({ plugins: [approvalGate(options as never)] }), 'PLUGIN_INVALID');
      expect(error.message).to.include(says).and.not.include('kkkk');
    });
  }

  const right = [
    {},
    { mode: 'flag' },
    { mode: 'elicit' },
    { mode: 'elicit', elicitFallback: 'flag', onApproval },
    { mode: 'strict', onApproval, ttlMs: 1000 },
  ] as const;
  for (const options of right) {
    it(`make a plugin that keeps the contract with ${shown(options)}`, async () => {
      expect(await checkPlugin(approvalGate, options)).to.deep.equal([]);
    });
  }

  it('make a plugin that keeps the contract with a shared key', async () => {
    const options = { mode: 'strict', key: 'é'.repeat(16), stateFolder: await temporaryFolder() } as const;
    expect(await checkPlugin(approvalGate, options)).to.deep.equal([]);
  });

  it('refuse a shared key where used tokens cannot be kept', async () => {
    const file = path.join(await temporaryFolder({ state: '' }), 'state');
    const plugins = [approvalGate({ mode: 'strict', key: 'k'.repeat(32), stateFolder: file })];
    const error = await rejection(bareKernel({ plugins }), 'PLUGIN_INVALID');
    expect(error.message).to.include(`used approval tokens cannot be kept in ${file}`);
    expect(error.message).to.include(
      'Make the folder writable, name another one as stateFolder, add storeLibsql() or storePostgres(), or leave the key out',
    );
  });

  it('keep the key out of the log', async () => {
    const logger = memoryLogger();
    const key = 'a key of thirty-two bytes or more';
    const kernel = await bareKernel({
      logger,
      plugins: [approvalGate({ mode: 'strict', onApproval, key, stateFolder: await temporaryFolder() })],
    });
    kernel.logger.info(`configured with ${key}`);
    expect(logger.records.at(-1)?.message).to.equal('configured with [secret approval-gate key]');
  });
});

function shown(options: unknown): string {
  return JSON.stringify(options, (_name, value: unknown) => (typeof value === 'function' ? '[function]' : value));
}

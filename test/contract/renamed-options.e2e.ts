import { expect } from 'chai';
import { createKernel } from '../../kernel/index.ts';
import { loadToolkitConfig } from '../../plugins/toolkit/config/toolkit-config.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary.ts';

interface RenamedOption {
  readonly plugin: string;
  readonly earlier: string;
  readonly now: string;
  /** Value of the option. @default 100000 */
  readonly value?: unknown;
  /** Options that the plugin requires. */
  readonly required?: object;
}

const renamed: readonly RenamedOption[] = [
  { plugin: 'audit-trail', earlier: 'keep', now: 'maxRotatedFiles', required: { path: 'calls.jsonl' } },
  { plugin: 'calls-once', earlier: 'keepMs', now: 'retentionMs' },
  { plugin: 'engine-local', earlier: 'keepMs', now: 'retentionMs' },
  { plugin: 'executor-function', earlier: 'maxWaiting', now: 'maxQueued' },
  { plugin: 'guard-outbound', earlier: 'allow', now: 'allowHosts', value: ['shop.example'] },
  { plugin: 'limit-circuit', earlier: 'failures', now: 'maxFailures' },
  { plugin: 'limit-circuit', earlier: 'maxHosts', now: 'maxCircuits' },
  { plugin: 'limit-circuit', earlier: 'openMs', now: 'resetTimeoutMs' },
  { plugin: 'mcp', earlier: 'available', now: 'onlyAvailable', value: true },
  { plugin: 'mcp', earlier: 'leaveMs', now: 'shutdownDelayMs' },
  { plugin: 'mcp', earlier: 'maxUnproven', now: 'maxUnauthenticated' },
  { plugin: 'mcp', earlier: 'resumeMs', now: 'resumeTimeoutMs' },
  { plugin: 'output-budget', earlier: 'keepMs', now: 'retentionMs' },
  { plugin: 'tool-packages', earlier: 'allow', now: 'allowPackages', value: ['@acme/shop'] },
];

describe('a configuration with the earlier name of an option', () => {
  for (const { plugin, earlier, now, value = 100_000, required = {} } of renamed)
    it(`is refused with the name that it has now: ${plugin}, ${earlier} → ${now}`, async () => {
      const plugins = [[`toolkit/plugins/${plugin}`, { ...required, [earlier]: value }]];
      const folder = await temporaryFolder({ 'toolkit.config.json': JSON.stringify({ plugins }) });
      const loaded = await loadToolkitConfig(folder);
      const starting = createKernel({ cwd: folder, logger: memoryLogger(), plugins: loaded?.config.plugins ?? [] });
      const { details } = await rejection(starting, 'PLUGIN_INVALID');
      expect(details).to.have.property('plugin', plugin);
      const [issue, ...others] = details['issues'] as readonly { readonly path: string; readonly message: string }[];
      expect(others).to.deep.equal([]);
      expect(issue).to.include({ path: earlier });
      expect(issue?.message).to.match(new RegExp(`^is not known here: give "${now}" in its place`));
    });
});

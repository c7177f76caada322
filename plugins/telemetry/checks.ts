import { type Finding, messageOf, type PluginCheck } from '../../kernel/index.ts';
import type { TelemetryOptions } from './options.ts';

/** Checks of the packages that send spans and show numbers, and of the variables of OpenTelemetry. Nothing is sent. */
export const telemetryChecks: readonly PluginCheck<TelemetryOptions>[] = [
  {
    name: 'Traces',
    async run({ traces = 'auto' }, { isListed, env }) {
      if (!isListed || traces === false) return [];
      const { TraceVariables } = await import('./traces/variables.ts');
      const { forbiddenBy, namesExporter, canSend, collector, warnings } = new TraceVariables(env);
      if (forbiddenBy !== undefined || (traces === 'auto' && !namesExporter)) return [];
      const findings = warnings.map((message): Finding => ({ check: 'Traces', state: 'warning', message }));
      if (!canSend) return findings;
      const { loadSdkPackages } = await import('./traces/sdk-packages.ts');
      // With `traces: true` a server does not start without them.
      const missing = await absence('Traces', traces === true ? 'problem' : 'warning', loadSdkPackages);
      const ready: Finding = { check: 'Traces', state: 'ok', message: `a server or worker sends spans to ${collector.shown}` };
      return [...findings, missing ?? ready];
    },
  },
  {
    name: 'Metrics',
    async run({ metrics = true }, { isListed }) {
      if (!isListed || metrics === false) return [];
      const { loadExposition } = await import('./metrics/load-exposition.ts');
      const missing = await absence('Metrics', 'problem', loadExposition);
      return missing === undefined ? [] : [missing];
    },
  },
];

/** Returns a finding where packages cannot be loaded, with the command that installs them. */
async function absence(check: string, state: 'problem' | 'warning', load: () => Promise<unknown>): Promise<Finding | undefined> {
  try {
    await load();
    return undefined;
  } catch (error) {
    const [message = '', hint] = messageOf(error).split(/\.? (?=Run: )/);
    return { check, state, message, ...(hint === undefined ? {} : { hint }) };
  }
}

import { type Finding, messageOf, type PluginCheck } from '../../kernel/index.ts';
import type { TelemetryOptions } from './options.ts';

/** Check of the packages that send spans, which are optional, and of the variables of OpenTelemetry. Nothing is sent. */
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
      const missing = await absence(traces === true ? 'problem' : 'warning', loadSdkPackages);
      const ready: Finding = { check: 'Traces', state: 'ok', message: `a server or worker sends spans to ${collector.shown}` };
      return [...findings, missing ?? ready];
    },
  },
];

/** Returns a finding where packages cannot be loaded, with the command that installs them. */
async function absence(state: 'problem' | 'warning', load: () => Promise<unknown>): Promise<Finding | undefined> {
  try {
    await load();
    return undefined;
  } catch (error) {
    const [message = '', hint] = messageOf(error).split(/\.? (?=Run: )/);
    return { check: 'Traces', state, message, ...(hint === undefined ? {} : { hint }) };
  }
}

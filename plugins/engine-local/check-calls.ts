import { type DurableCall, type Finding, type Kernel, ToolkitError } from '../../kernel/index.ts';
import { formatFew } from '../shared/terminal/few.ts';
import { hindranceOf } from './commands/calls/hindrance.ts';

const check = 'Calls';

/** Maximum calls of each status that are read. */
const maxCalls = 1000;

const statuses = ['waiting', 'asked', 'running'] as const;

/** Reports durable calls that no process of this configuration can take. Empty without an engine. */
export async function checkCalls({ calls, registry }: Pick<Kernel, 'calls' | 'registry'>): Promise<readonly Finding[]> {
  const pages = await Promise.all(
    statuses.map((status) => calls.list({ status, limit: maxCalls, asksProcesses: status === 'running' })),
  ).catch((error: unknown) => {
    // The check of the store says that it cannot be reached.
    if (ToolkitError.is(error) && (error.code === 'PLUGIN_INVALID' || error.code === 'STATE_UNAVAILABLE')) return [];
    throw error;
  });
  const open = pages.flatMap((page) => page.calls);
  const later = Math.max(0, ...pages.map(({ laterVersion = 0 }) => laterVersion));
  const hindered = (hindrance: string): readonly DurableCall[] => open.filter((call) => hindranceOf(call, registry) === hindrance);
  const unknown = hindered('unknown tool');
  const stalled = hindered('stalled process');
  const tools = [...new Set(unknown.map(({ tool }) => tool))];
  const warnings: readonly (readonly [count: number, message: string, hint: string])[] = [
    [
      unknown.length,
      `${countOf(unknown.length)} (${idsOf(unknown)}) of tools that this configuration does not have: ${formatFew(tools)}`,
      'Start a worker that has them, or end the calls with "toolkit calls cancel".',
    ],
    [
      later,
      `${countOf(later)} that a later version of this program wrote, which this one can neither show nor run`,
      'Install that version, or run its worker.',
    ],
    [
      stalled.length,
      `${countOf(stalled.length)} (${idsOf(stalled)}) of a process that stands still, which keeps them`,
      'Let that process go on, or end it: others then take its calls.',
    ],
  ];
  return warnings.flatMap(([count, message, hint]) => (count === 0 ? [] : [{ check, state: 'warning' as const, message, hint }]));
}

function countOf(count: number): string {
  return count === 1 ? '1 durable call' : `${count} durable calls`;
}

function idsOf(calls: readonly DurableCall[]): string {
  return formatFew(calls.map(({ id }) => id));
}

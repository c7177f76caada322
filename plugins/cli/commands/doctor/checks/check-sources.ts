import type { Finding, FindingState, Kernel, SourceState, SourceStatus } from '../../../../../kernel/index.ts';
import { count } from '../../../../shared/checks/count.ts';
import { formatFew } from '../../../../shared/terminal/few.ts';

const check = 'Source';

const states: Readonly<Record<SourceState, FindingState>> = {
  starting: 'not checked',
  ready: 'ok',
  degraded: 'warning',
  down: 'problem',
  'needs-auth': 'problem',
  quarantined: 'warning',
};

/** Reports the state of each source and what to do about it. Empty without sources. */
export function checkSources(kernel: Pick<Kernel, 'sources'>): Finding[] {
  return kernel.sources.list().map(findingOf);
}

/** Maximum number of messages of one source. */
const maxMessages = 5;

function findingOf({ name, plugin, state, tools, withheld, reported, failure }: SourceStatus): Finding {
  const parts = [
    `${name} (plugin ${plugin}) is ${state}: ${count(tools, 'tool')}`,
    ...(withheld.length === 0 ? [] : [`withheld until a person accepts it: ${formatFew(withheld.map((one) => one.name))}`]),
    ...(failure === undefined ? [] : [failure.replace(/\.$/, '')]),
  ];
  // What a source withholds itself comes with its own command.
  const hint = state === 'quarantined' && withheld.length === 0 ? undefined : hints[state];
  const more = reported.length > maxMessages ? [`and ${reported.length - maxMessages} more`] : [];
  return {
    check,
    state: states[state],
    message: parts.join('; '),
    ...(reported.length === 0 ? {} : { details: [...reported.slice(0, maxMessages), ...more] }),
    ...(hint === undefined ? {} : { hint }),
  };
}

const hints: Readonly<Partial<Record<SourceState, string>>> = {
  degraded: '"toolkit validate" shows which parts cannot be used.',
  down: 'See that it runs and can be reached from here, and that the configuration names the right place.',
  'needs-auth': 'Give it a credential that it accepts: "toolkit secrets check" shows which names are not set.',
  quarantined: '"toolkit tools pending" shows what is new or different.',
};

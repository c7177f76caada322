import { excerpt, type Kernel, type SourceState, sentence } from '../../../kernel/index.ts';

/** Maximum number of messages of one source. */
const maxMessages = 3;

/** The next step for a source that gives no reason itself. */
const advice: Readonly<Record<SourceState, string>> = {
  starting: 'It was not listed yet: try again.',
  ready: 'It lists none: see what its configuration chooses.',
  degraded: '"toolkit validate" shows which parts cannot be used.',
  down: 'See that it can be reached, and that the configuration names the right place.',
  'needs-auth': '"toolkit secrets check" shows which credentials are not set.',
  quarantined: '"toolkit tools pending" shows what waits for a person.',
};

/**
 * Returns why a source has no tools, in sentences, with what to do. `name`: that of the source, or of a tool that only it could have. Undefined for a
 * name of no source, and for a source with tools.
 */
export function emptySource(name: string, sources: Pick<Kernel['sources'], 'list'>): string | undefined {
  const source = sources.list().find((one) => name === one.name || name.startsWith(`${one.name}_`));
  if (source === undefined || source.tools > 0) return undefined;
  const { state, failure, reported, withheld } = source;
  const said = [...(failure === undefined ? [] : [failure]), ...reported];
  const more = said.length > maxMessages ? [`There are ${said.length - maxMessages} more reasons: "toolkit doctor" shows them.`] : [];
  const needsAdvice = said.length === 0 || withheld.length > 0 || state === 'needs-auth' || state === 'degraded';
  return [
    `The source "${excerpt(source.name, 100)}" has no tools, and is ${state}.`,
    ...said.slice(0, maxMessages).map(sentence),
    ...more,
    ...(needsAdvice ? [advice[state]] : []),
  ].join(' ');
}

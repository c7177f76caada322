import { percentile } from '../rows.ts';
import type { Figures } from './quiet-moment.ts';
import type { Tally } from './tally.ts';
import { judgesMemory, slopePerMinute } from './verdict.ts';

const mebibyte = 1024 * 1024;
const mib = (bytes: number): string => (bytes / mebibyte).toFixed(1);

/** One line for each quiet moment, as it comes. */
export function momentLine({ atMs, heapUsed, external, rss, descriptors, processes, threads, loopDelayMs }: Figures): string {
  const { p50, p99, max } = loopDelayMs;
  const delay = [p50, p99, max].map((value) => value.toFixed(1)).join('/');
  return `${(atMs / 60_000).toFixed(1).padStart(5)} min  heap ${mib(heapUsed)} MiB, external ${mib(external)}, resident ${mib(rss)}; ${descriptors} descriptors, ${processes} processes, ${threads} threads; loop delay p50/p99/max ${delay} ms\n`;
}

/** Start, end of warm-up, end, and slope after the warm-up. */
export function figuresTable(start: Figures, moments: readonly Figures[]): string {
  const [warm = start, end = start] = [moments[0], moments.at(-1)];
  const rows: readonly (readonly [string, (figures: Figures) => number])[] = [
    ['heap after collection, MiB', ({ heapUsed }) => heapUsed / mebibyte],
    ['external memory, MiB', ({ external }) => external / mebibyte],
    ['resident memory, MiB', ({ rss }) => rss / mebibyte],
    ['descriptors', ({ descriptors }) => descriptors],
    ['processes below the server', ({ processes }) => processes],
    ['threads', ({ threads }) => threads],
    ['loop delay p50, ms', ({ loopDelayMs }) => loopDelayMs.p50],
    ['loop delay p99, ms', ({ loopDelayMs }) => loopDelayMs.p99],
    ['loop delay max, ms', ({ loopDelayMs }) => loopDelayMs.max],
  ];
  const line = (name: string, ...values: readonly string[]): string =>
    `${name.padEnd(28)}${values.map((value) => value.padStart(12)).join('')}\n`;
  const numbers = (values: readonly number[]): string[] => values.map((value) => value.toFixed(1));
  const note = judgesMemory(moments) ? '' : 'Memory is not judged: that takes 4 minutes after the warm-up.\n';
  return `${line('', 'start', 'warm', 'end', 'a minute')}${rows
    .map(([name, of]) => line(name, ...numbers([of(start), of(warm), of(end)]), slopePerMinute(moments, of).toFixed(2)))
    .join('')}${changes('descriptors', warm.descriptorKinds, end.descriptorKinds)}${changes('handles', warm.handles, end.handles)}${note}`;
}

/** Which kinds there are more or fewer of at the end. */
function changes(what: string, warm: Readonly<Record<string, number>>, end: Readonly<Record<string, number>>): string {
  const kinds = [...new Set([...Object.keys(warm), ...Object.keys(end)])];
  const different = kinds
    .map((kind) => [kind, (end[kind] ?? 0) - (warm[kind] ?? 0)] as const)
    .filter(([, difference]) => difference !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  if (different.length === 0) return '';
  const shown = different.slice(0, 10).map(([kind, difference]) => `${difference > 0 ? '+' : ''}${difference} ${kind}`);
  return `${what} since the warm-up: ${shown.join(', ')}${different.length > 10 ? ', …' : ''}\n`;
}

/** Calls by outcome, and how long those took that went well. */
export function callsTable({ scenarios }: Tally): string {
  const rows = [...scenarios].sort(([a], [b]) => a.localeCompare(b, 'en'));
  const lines = rows.map(([name, { outcomes, okMs }]) => {
    const counts = [...outcomes].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${count} ${kind}`);
    const times = okMs.length === 0 ? '' : `${percentile(okMs, 0.5).toFixed(0)}/${percentile(okMs, 0.99).toFixed(0)} ms`;
    return `${name.padEnd(34)}${times.padStart(14)}  ${counts.join(', ')}\n`;
  });
  const all = rows.flatMap(([, { okMs }]) => okMs);
  const total = rows.reduce((sum, [, { outcomes }]) => sum + [...outcomes.values()].reduce((a, b) => a + b, 0), 0);
  return `${'calls'.padEnd(34)}${'p50/p99'.padStart(14)}\n${lines.join('')}${total} calls; latency of those that went well: p50 ${percentile(all, 0.5).toFixed(1)} ms, p99 ${percentile(all, 0.99).toFixed(1)} ms\n`;
}

export function unexpectedList({ unexpected }: Tally): string {
  if (unexpected.length === 0) return '';
  const items = unexpected.map(
    ({ count, scenario, what, kind, given, text }) =>
      `- ${count} × ${kind} in "${scenario}": ${what} ${given}\n  ${text.replaceAll('\n', '\n  ')}\n`,
  );
  return `unexpected errors, by kind, with one of each:\n${items.join('')}`;
}

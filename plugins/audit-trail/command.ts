import { type Command, ToolkitError } from '../../kernel/index.ts';
import { jsonText } from '../shared/text/json-text.ts';
import { terminalText } from '../shared/text/visible-text.ts';
import type { Finding, SegmentReport, UnfinishedCall, VerifyReport } from './verify-report.ts';
import { verifyTrail } from './verify-trail.ts';

/** `toolkit audit verify`: follows the chain of a trail, including rotated files. Needs no configuration. */
export const auditVerifyCommand: Command = {
  name: 'audit verify',
  description:
    'Verify the hash chain of an audit trail, rotated files included, and print its head. Ends with 1 when a record was changed, removed, moved or inserted, or when the last one is not the one that <file>.head names. A program that can write both files can hide such a change, except from a head that was noted elsewhere (--head). Lists unfinished calls: they began, and their process ended before their end was recorded, or they run now. These are no damage and do not count for the exit code.',
  arguments: [{ name: '<file>', description: 'the file, or the folder, that the option "path" of the plugin audit-trail names' }],
  flags: [
    { flag: '--head <hash>', description: 'a head that was printed earlier; the trail must still have that record', parse: hash },
    { flag: '--key-env <name>', description: 'environment variable with the key of the trail, when it has one' },
    { flag: '--json', description: 'print JSON' },
  ],
  examples: [
    { line: 'toolkit audit verify calls.jsonl', does: 'check that no record was changed; note the head that it prints' },
    {
      line: 'toolkit audit verify calls.jsonl --head 5f0c…',
      does: 'check that no record up to this head is missing',
    },
  ],
  async run({ arguments: [file = ''], flags, write }) {
    const head = flags['head'] as string | undefined;
    const key = keyIn(process.env, flags['keyEnv'] as string | undefined);
    const report = await verifyTrail(file, { ...(head === undefined ? {} : { head }), ...(key === undefined ? {} : { key }) });
    write(flags['json'] === true ? jsonText(report) : renderReport(report));
    const [problem] = report.problems;
    if (problem === undefined) return;
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `The audit trail does not verify: ${report.problemCount === 1 ? 'one problem' : `${report.problemCount} problems, the first`} in ${locationText(problem)}. Keep the files for inspection.`,
    );
  },
};

function keyIn(env: Readonly<Record<string, string | undefined>>, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const key = env[name];
  if (key !== undefined && key !== '') return key;
  throw new ToolkitError('INVALID_PARAMETERS', `--key-env names "${name}", which is not set. Set it to the key of the trail.`);
}

function hash(value: string): string {
  if (/^[0-9a-f]{64}(,[0-9a-f]{64})*$/.test(value)) return value;
  throw new ToolkitError('INVALID_PARAMETERS', 'expected 64 hexadecimal digits in lower case, as "audit verify" prints them');
}

function renderReport(report: VerifyReport): string {
  const { files, records, first, last, segments, head, problems, problemCount, notes, unfinished, unfinishedCount } = report;
  const more = problemCount - problems.length;
  const range =
    first === undefined || last === undefined ? [] : [`From record ${first.seq}, ${first.time}, to record ${last.seq}, ${last.time}`];
  return [
    ...problems.map((problem) => `${locationText(problem)}: ${problem.message}`),
    ...(more === 0 ? [] : [`and ${more} more problems`]),
    ...notes.map((note) => `${locationText(note)}: note: ${note.message}`),
    ...unfinished.map(unfinishedLine),
    ...(unfinishedCount === unfinished.length ? [] : [`and ${unfinishedCount - unfinished.length} more unfinished calls`]),
    `${count(records, 'record')} in ${count(files.length, 'file')}`,
    ...range,
    ...(segments ?? []).map(segmentLine),
    ...(head === undefined ? [] : [`Head: ${head}`]),
    problemCount === 0 ? 'The trail verifies.' : 'The trail does not verify.',
    '',
  ]
    .map(terminalText)
    .join('\n');
}

function segmentLine({ name, records, first, last }: SegmentReport): string {
  return `${name}: ${count(records, 'record')}${first === undefined ? '' : `, from ${first.time}`}${last === undefined ? '' : ` to ${last.time}`}`;
}

function unfinishedLine({ time, tool, caller, callId, ...at }: UnfinishedCall): string {
  return `${locationText(at)}: unfinished: ${tool}, begun ${time} by ${caller} (call ${callId})`;
}

function locationText({ file, line }: Pick<Finding, 'file' | 'line'>): string {
  return line === 0 ? file : `${file}:${line}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

import type { ApprovalDetails, ApprovalRecord, Terminal } from '../../../kernel/index.ts';
import { commandLine } from '../../shared/approval/command-line.ts';
import { formatNumber } from '../../shared/terminal/format-number.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { approvedNames, callerText, deciderText, statusText, timeText } from './approval-format.ts';
import { changeLines, previewLines, shownReasons } from './help-lines.ts';
import { shownLines, valueLines } from './shown-lines.ts';

type Screen = Pick<Terminal, 'columns' | 'hasColors'>;

/** Formats a record with everything that a person needs to decide: no part is cut. */
export async function detailsText(details: ApprovalDetails, screen: Screen): Promise<string> {
  const { parameters } = details.shown;
  const given = Object.entries(parameters).flatMap(([name, value]) => valueLines(name, value));
  const { preview, sinceLast, always } = details;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Arguments', given.length === 0 ? ['none'] : given],
    ...shownReasons(details.reasons),
    ...(preview === undefined ? [] : [[`Before the call, by ${preview.tool}`, previewLines(preview)] as const]),
    ...(sinceLast === undefined
      ? []
      : [[`Changes since the last approved call, ${sinceLast.id} of ${timeText(sinceLast.at)}`, changeLines(sinceLast.changes)] as const]),
    ...(always === undefined
      ? []
      : [['A rule for always: with it, equal calls run without asking', always.trimEnd().split('\n')] as const]),
  ];
  const texts = sections.map(
    async ([heading, lines]) => `\n${paint(screen, 'heading', terminalText(heading))}\n${await shownLines(lines, screen)}`,
  );
  return [await facts(details, screen), ...(await Promise.all(texts))].join('');
}

async function facts(details: ApprovalDetails, screen: Screen): Promise<string> {
  const { id, status, tool, risk, shown, reasons, digest, policy, replaces, runsAs, once, ended, endedAt, sinceLast } = details;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Id', paint(screen, 'name', terminalText(id))],
    ['Status', statusText(status, screen)],
    ['Tool', terminalText(tool)],
    ['', terminalText(shown.description.replaceAll(/\s+/g, ' ').trim())],
    ['Provider', shown.provider === undefined ? undefined : terminalText(shown.provider)],
    ['Risk', risk],
    ['Caller', terminalText(callerText(details))],
    ...reasons.map(({ kind, message }) => ['Reason', terminalText(`${message} (${kind})`)] as const),
    ...identityRows(shown.identity),
    ['Asked', askedText(details)],
    ['Expires', status === 'waiting' || status === 'approved' ? expiryText(details) : undefined],
    ['Ended', endedAt === undefined ? undefined : timeText(endedAt)],
    ['Because', ended === undefined ? undefined : terminalText(ended)],
    [
      'Approvals',
      `${approvedNames(details)} of ${details.approvers}${details.approvers > 1 ? ' different names, none of them the caller' : ''}`,
    ],
    ...details.decisions.map(
      ({ approve, by, at, reason }) =>
        [
          approve ? 'Approved' : 'Refused',
          terminalText(`by ${deciderText(by)}, ${timeText(at)}${reason === undefined ? '' : `: ${reason}`}`),
        ] as const,
    ),
    ['Kept', details.isKept ? undefined : 'no: it has credentials of its own, and runs only while its client waits'],
    ['Replaces', replaces === undefined ? undefined : terminalText(`${replaces.id}: since then ${replaces.changed.join(' and ')} changed`)],
    ['Effect', once === undefined ? undefined : terminalText(`once: ${once}`)],
    ['Runs as', runsAs === undefined ? undefined : terminalText(`durable call "${runsAs.id}" of "${runsAs.caller}"`)],
    ['Before', sinceLast === undefined ? 'no approved call of this tool by this caller is known' : undefined],
    ['Policy', terminalText(policy)],
    ['Digest', terminalText(digest)],
  ];
  const filled = rows.flatMap(([word, text]) => (text === undefined || text === '' ? [] : [[paint(screen, 'quiet', word), text]]));
  return textTable(screen, [{}, { narrow: 'wrap' }], filled);
}

function identityRows({ files = {}, ...parts }: ApprovalRecord['shown']['identity']): readonly (readonly [string, string])[] {
  const words = { destination: 'Destination', content: 'Content', program: 'Program', folder: 'Folder', code: 'Code' } as const;
  const named = Object.entries(words).flatMap(([name, word]) => {
    const part = parts[name as keyof typeof words];
    return part === undefined ? [] : [[word, terminalText(name === 'program' ? commandLine(part) : part.shown)] as const];
  });
  const onDisk = Object.entries(files).map(([path, { shown }]) => ['File', terminalText(`${JSON.stringify(path)}: ${shown}`)] as const);
  return [...named, ...onDisk];
}

function askedText({ createdAt, count }: ApprovalRecord): string {
  return `${timeText(createdAt)}${count > 1 ? `, by ${formatNumber(count)} equal calls` : ''}`;
}

function expiryText({ expiresAt, status }: ApprovalRecord): string {
  return `${timeText(expiresAt)}${status === 'waiting' ? '; no answer until then is a no' : '; a call that has not run by then is not approved any more'}`;
}

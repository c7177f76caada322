import type { Terminal } from '../../../../kernel/index.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import { type Column, textTable } from '../../../shared/terminal/table.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import type { Findings } from './findings.ts';
import type { NoteGroup } from './group-notes.ts';

/** Maximum rows of each part. */
const maxTags = 25;
const maxNotes = 15;

/** Formats the facts about a document for people. Texts of the document are foreign: their control characters are shown escaped. */
export async function inspectionText(findings: Findings, terminal: Terminal): Promise<string> {
  const {
    title,
    version,
    dialect,
    document,
    operations,
    tools,
    tokens,
    tags,
    skipped,
    notes,
    needs,
    hosts,
    privateServer,
    documentNotes,
    unmatched,
  } = findings;
  const heading = (text: string): string => `\n${paint(terminal, 'heading', text)}\n`;
  const table = async (columns: readonly Column[], rows: readonly (readonly string[])[]): Promise<string> =>
    (await textTable({ ...terminal, ...(terminal.columns === undefined ? {} : { columns: terminal.columns - 2 }) }, columns, rows)).replace(
      /^(?=.)/gm,
      '  ',
    );
  const parts = [
    `${paint(terminal, 'heading', terminalText(title))} ${terminalText(version)}, OpenAPI ${dialect}, ${terminalText(document)}\n`,
    `${count(tools, 'tool')} of ${count(operations, 'operation')}, about ${number(tokens)} tokens when all are listed (${risksText(findings)})\n`,
  ];
  if (findings.isSearched) parts.push('Models find them by searching; none is listed, unless the source says "expose: all"\n');
  if (tags.length > 1)
    parts.push(
      heading('Tags'),
      await table(
        [
          { heading: 'tag', narrow: 'cut' },
          { heading: 'tools', align: 'right' },
          { heading: 'tokens', align: 'right' },
        ],
        tags.slice(0, maxTags).map((tag) => [terminalText(tag.tag), number(tag.tools), number(tag.tokens)]),
      ),
      more(tags.length - maxTags, 'tag'),
    );
  const groups = async (title: string, list: readonly NoteGroup[]): Promise<void> => {
    if (list.length === 0) return;
    parts.push(
      heading(title),
      await table([{ align: 'right' }, { narrow: 'wrap' }], list.slice(0, maxNotes).map(groupRow)),
      more(list.length - maxNotes, 'kind'),
    );
  };
  await groups(`Left out: ${count(sum(skipped), 'operation')}`, skipped);
  await groups('Notes on operations', notes);
  const texts = [...unmatched.map((action) => `The overlay matches nothing: ${action}`), ...documentNotes];
  if (texts.length > 0)
    parts.push(
      heading('Notes on the document'),
      await table(
        [{ narrow: 'wrap' }],
        texts.slice(0, maxNotes).map((text) => [terminalText(text)]),
      ),
      more(texts.length - maxNotes, 'note'),
    );
  if (needs.length > 0)
    parts.push(
      heading('Names to set, in the environment or a secret store'),
      await table(
        [{}, {}, { narrow: 'wrap' }],
        needs.map((need) => [
          paint(terminal, 'name', need.name),
          need.isRequired ? 'required' : 'optional',
          terminalText(need.description),
        ]),
      ),
    );
  parts.push(
    heading('Hosts'),
    await table(
      [{}],
      hosts.map((host) => [terminalText(host)]),
    ),
  );
  if (privateServer !== undefined)
    parts.push(
      `${terminalText(privateServer)} is on this machine or in a private network: tools reach it only when you name it, with --server\n`,
    );
  if (tools === 0) parts.push('\nNo operation becomes a tool.\n');
  return parts.join('');
}

function groupRow({ count: places, note, places: named, detail }: NoteGroup): readonly string[] {
  const others = places > named.length ? ` and ${places - named.length} more` : '';
  const because = detail === undefined ? '' : ` (${detail})`;
  return [number(places), `${terminalText(note)}: ${named.map(terminalText).join(', ')}${others}${terminalText(because)}`];
}

function risksText({ risks }: Findings): string {
  return (
    ['low', 'medium', 'high'].flatMap((risk) => (risks[risk] === undefined ? [] : [`${risks[risk]} ${risk} risk`])).join(', ') || 'none'
  );
}

function sum(groups: readonly NoteGroup[]): number {
  return groups.reduce((all, { count: own }) => all + own, 0);
}

function more(others: number, noun: string): string {
  return others > 0 ? `  and ${count(others, `more ${noun}`)}\n` : '';
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}

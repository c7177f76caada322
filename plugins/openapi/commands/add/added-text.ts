import path from 'node:path';
import type { CommandInvocation } from '../../../../kernel/index.ts';
import type { WrittenOption } from '../../../shared/configuration/write-option.ts';
import { copyFile } from '../../../shared/lock/accepted-copy.ts';
import { lockFileName } from '../../../shared/lock/lock-file.ts';
import { programCommand } from '../../../shared/project/program-command.ts';
import { displayPath } from '../../../shared/terminal/display-path.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import { textTable } from '../../../shared/terminal/table.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import type { Findings } from '../inspect/findings.ts';

export interface Added {
  readonly findings: Findings;
  readonly folder: string;
  readonly overlay: string;
  readonly isStub: boolean;
  readonly written: WrittenOption;
  readonly isJson: boolean;
}

/** Prints what was written, and the next steps. */
export async function addedText(
  invocation: CommandInvocation,
  { findings, folder, overlay, isStub, written, isJson }: Added,
): Promise<void> {
  const { terminal, write } = invocation;
  const { name, first, tools, operations, tokens, needs, skipped, privateServer } = findings;
  const files: readonly (readonly [string, string])[] = [
    ...(written.lines === undefined ? [[written.file, 'lists the source'] as const] : []),
    ...(isStub ? [[overlay, 'for changes to the document'] as const] : []),
    [path.join(folder, lockFileName), 'was accepted: hosts, operations, names'],
    [copyFile(folder, name), 'the accepted copy of the document'],
  ];
  if (isJson) {
    write(
      jsonText({ ...findings, written: files.map(([file]) => file), ...(written.lines === undefined ? {} : { lines: written.lines }) }),
    );
    return;
  }
  const rows = files.map(([file, what]) => [`  ${paint(terminal, 'name', terminalText(displayPath(file, process.cwd())))}`, what]);
  const lost = skipped.reduce((sum, { count }) => sum + count, 0);
  write(
    `${terminalText(findings.title)}: ${tools} of ${operations} operations are tools ${name}_…, about ${tokens.toLocaleString('en')} tokens\n`,
  );
  if (lost > 0) write(`${lost} are left out; "toolkit openapi inspect" says why\n`);
  write(`\n${paint(terminal, 'good', 'Written:')}\n${await textTable(terminal, [{}, { narrow: 'wrap' }], rows)}`);
  const toolkit = await programCommand(invocation.program, invocation.env, process.cwd());
  const required = needs.filter(({ isRequired }) => isRequired);
  const steps: readonly (readonly [string, readonly string[]])[] = [
    ...(written.lines === undefined
      ? []
      : [
          [
            `Add to "plugins" in ${displayPath(written.file, process.cwd())}, which has a form that was not changed`,
            written.lines,
          ] as const,
        ]),
    ...(privateServer === undefined
      ? []
      : [
          [
            `Name the server for the source "${name}" in the configuration: it is on this machine or in a private network, and not reached otherwise`,
            [`server: ${privateServer}`],
          ] as const,
        ]),
    ...(required.length === 0
      ? []
      : [
          ['Set these names, in the environment or a secret store', required.map((need) => need.name)] as const,
          ['See that they are found', [`${toolkit} secrets check --tools '${name}_*'`]] as const,
        ]),
    ['List the tools', [`${toolkit} list --provider ${name}`]],
    ['Call one', [`${toolkit} run ${first ?? name} --help`]],
  ];
  write(`\n${paint(terminal, 'heading', 'Next:')}\n`);
  for (const [title, lines] of steps)
    write(`\n  ${terminalText(title)}:\n${lines.map((line) => `    ${paint(terminal, 'name', terminalText(line))}\n`).join('')}`);
}

import type { CommandInvocation } from '../../../../kernel/index.ts';
import { programCommand } from '../../../shared/project/program-command.ts';
import { projectFolder } from '../../../shared/project/project-folder.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { shellWord } from '../../../shared/text/shell-word.ts';
import { sourceOf } from '../document-flags.ts';
import { preview } from '../preview.ts';
import { proposeName } from '../propose-name.ts';
import { readDocument } from '../read-document.ts';
import { findingsOf } from './findings.ts';
import { inspectionText } from './inspection-text.ts';

/** Prints the tools that a document would give. */
export async function inspect(invocation: CommandInvocation): Promise<void> {
  const {
    arguments: [document = ''],
    flags,
    terminal,
    write,
    configFile,
  } = invocation;
  const given = flags as { name?: string; allowHost?: string; json?: boolean };
  const { texts, text } = await readDocument(invocation, document, process.cwd(), given.allowHost);
  const name = given.name ?? proposeName(text, document);
  const source = sourceOf(document, flags);
  const shown = await preview(invocation, { ...texts, name, source, names: new Map() });
  try {
    const findings = findingsOf(shown, name, document);
    write(given.json === true ? jsonText(findings) : await inspectionText(findings, terminal));
    if (given.json === true || findings.tools === 0) return;
    const more = ['server', 'tag', 'allowHost'].flatMap((flag) =>
      [flags[flag] ?? []].flat().map((value) => `--${flag === 'allowHost' ? 'allow-host' : flag} ${shellWord(String(value))}`),
    );
    write(
      `\nAdd it${configFile === undefined ? '' : ` to ${projectFolder(configFile)}`}:\n  ${await programCommand(invocation.program, invocation.env, process.cwd())} openapi add ${[shellWord(document), '--name', name, ...more].join(' ')}\n`,
    );
  } finally {
    await shown.kernel.close();
  }
}

import type { Terminal } from '../../../../kernel/index.ts';
import { paint, type Style } from '../../../shared/terminal/paint.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import type { DocumentDifferences } from '../../compare/compare-documents.ts';
import type { ComparedSource } from '../compare-source.ts';

/** Maximum number of operations of one kind that are printed. */
const maxOperations = 50;

/** Formats the differences of a source for people. Texts of the document are foreign: their control characters are shown escaped. */
export function differencesText({ name, loaded, differences, isAccepted, differs, copyError }: ComparedSource, terminal: Terminal): string {
  const unmatched = loaded.unmatched
    .map((action) => `${paint(terminal, 'warning', 'overlay')}  matches nothing: ${terminalText(action)}\n`)
    .join('');
  if (copyError !== undefined)
    return `${terminalText(copyError.message)}\n${loaded.generated.tools.length} operations would be accepted\n${unmatched}`;
  if (differences === undefined)
    return `Nothing of "${name}" was accepted yet: ${loaded.generated.tools.length} operations are new\n${unmatched}`;
  if (!differs) return `${isAccepted ? 'Nothing differs' : 'The texts differ, but no tool does'}\n${unmatched}`;
  return `${linesOf(differences, terminal).join('')}${unmatched}`;
}

function linesOf({ added, gone, moved, changed, newHosts, goneHosts }: DocumentDifferences, terminal: Terminal): readonly string[] {
  const line = (style: Style, word: string, text: string): string => `${paint(terminal, style, word.padEnd(7))}  ${terminalText(text)}\n`;
  const few = <T>(list: readonly T[], format: (item: T) => string): readonly string[] => [
    ...list.slice(0, maxOperations).map(format),
    ...(list.length > maxOperations ? [`         and ${list.length - maxOperations} more\n`] : []),
  ];
  const breaking = changed.filter((one) => one.breaking.length > 0);
  return [
    ...newHosts.map((host) => line('bad', 'host', `${host} is new`)),
    ...goneHosts.map((host) => line('quiet', 'host', `${host} is no longer used`)),
    ...few(gone, ({ operation, tool }) => line('bad', 'gone', `${operation}  ${tool}`)),
    ...few(moved, ({ operation, from, formerTool, tool }) => line('bad', 'renamed', `${from}  ${formerTool} -> ${operation}  ${tool}`)),
    ...few(breaking, ({ operation, tool, breaking: reasons, other }) =>
      [line('bad', 'breaks', `${operation}  ${tool}`), ...[...reasons, ...other].map((text) => `           ${terminalText(text)}\n`)].join(
        '',
      ),
    ),
    ...few(
      changed.filter((one) => one.breaking.length === 0),
      ({ operation, tool, other }) => line('warning', 'changed', `${operation}  ${tool}: ${other.join('; ')}`),
    ),
    ...few(added, ({ operation, tool }) => line('good', 'new', `${operation}  ${tool}`)),
  ];
}

/** Returns the counts of differences: `2 new, 1 gone, 3 changed of which 1 breaks calls`. */
export function differencesSummary({ differences, loaded }: ComparedSource): string {
  if (differences === undefined) return `${loaded.generated.tools.length} new`;
  const { added, gone, moved, changed } = differences;
  const breaking = changed.filter((one) => one.breaking.length > 0).length;
  const counts = { new: added.length, gone: gone.length, renamed: moved.length, changed: changed.length };
  const parts = Object.entries(counts).flatMap(([word, count]) => (count === 0 ? [] : [`${count} ${word}`]));
  return `${parts.join(', ') || 'hosts'}${breaking === 0 ? '' : `, of which ${breaking} may break calls`}`;
}

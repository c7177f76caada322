import { errorCodes } from '../../../../kernel/index.ts';
import { code, page, prose, table } from '../markdown.ts';

/** Returns the page of all error codes. */
export function errorsPage(): string {
  const rows = Object.entries(errorCodes).map(([name, { meaning, fault, retryable }]) => [
    code(name),
    prose(meaning),
    fault,
    retryable ? 'yes' : 'no',
  ]);
  return page(
    '# Error codes',
    'Every error is a `ToolkitError` with one of these codes, a message that says what to do next, and `details` (`tool`, `plugin`, `hook`, `status`, `retryable`, `retryAfterMs`, `issues`, …). ' +
      'Fixed by: as a rule, the `caller` with another call, the `author` of the tool or plugin, the `operator` with settings, secrets or programs, the `service` that the tool called or ran; `nobody` where a rule or a person decided. ' +
      'Repeat: `yes` when the same call may be made again, unless `details.retryable` says otherwise.',
    table(['code', 'meaning', 'fixed by', 'repeat'], rows),
  );
}

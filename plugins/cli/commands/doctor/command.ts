import { type Command, ToolkitError } from '../../../../kernel/index.ts';
import { toolNames } from '../../../shared/flags/tool-names.ts';
import { parseList } from '../../../shared/flags/values.ts';
import { jsonText } from '../../../shared/text/json-text.ts';

/** `toolkit doctor`: finds problems of this machine and project. */
export const doctorCommand: Command = {
  name: 'doctor',
  description:
    'Find out what is wrong with this machine and project, and what to do about it. No value of a secret is printed. Ends with 1 when there is a problem, with 0 for warnings.',
  flags: [
    {
      flag: '--tools <names>',
      description:
        'only tell whether these comma-separated tools are ready; * stands for any characters. Calls none. Exit code 0: ready, 10: later, because a source is down or starting, 11: an operator must act, 12: there is no such tool',
      parse: parseList,
      complete: toolNames,
    },
    {
      flag: '--store',
      description:
        'look at the store alone, and thoroughly: of PostgreSQL its servers, rights of the role, pooler, version of the tables, clock and latency',
    },
    { flag: '--json', description: 'print JSON' },
  ],
  examples: [
    { line: 'toolkit doctor', does: 'programs, port, configuration, store, plugins, tools, secrets, approval, clock' },
    { line: 'toolkit doctor --tools github_get_issue', does: 'before a job that needs this tool' },
    { line: 'toolkit doctor --store', does: 'before several machines share a database' },
    { line: 'toolkit doctor --json', does: 'for programs: findings (check, state, message, hint) and plugins' },
  ],
  async run(given) {
    const { flags, write, terminal, ...invocation } = given;
    if (flags['tools'] !== undefined) {
      const { reportReadiness } = await import('./readiness/report-readiness.ts');
      return reportReadiness(flags['tools'] as readonly string[], given);
    }
    const { examine } = await import('./examine.ts');
    const { report } = await import('./report.ts');
    const diagnosis = await examine(invocation, flags['store'] === true ? 'Store' : undefined);
    write(flags['json'] === true ? jsonText(diagnosis) : await report(diagnosis, terminal));
    const wrong = [...new Set(diagnosis.findings.filter(({ state }) => state === 'problem').map(({ check }) => check))];
    if (wrong.length === 0) return;
    throw new ToolkitError(
      'CONFIG_INVALID',
      `Something is wrong here: ${wrong.join(', ')}. Follow the hints in the report, then run "toolkit doctor" again.`,
    );
  },
};

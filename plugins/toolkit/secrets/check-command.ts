import { type Command, type Kernel, type Terminal, ToolkitError } from '../../../kernel/index.ts';
import { toolFilter } from '../../shared/exposure/tool-filter.ts';
import { parseList } from '../../shared/flags/values.ts';
import { connectedSecrets } from '../../shared/oauth/connected-secrets.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { unreadEnvFile } from '../../shared/project/unread-env-file.ts';
import { findSecrets, isMissing, type SecretFinding, secretNames } from '../../shared/secrets/secret-findings.ts';
import { usedTools } from '../../shared/secrets/used-tools.ts';
import { formatFew } from '../../shared/terminal/few.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { jsonText } from '../../shared/text/json-text.ts';

/** `toolkit secrets check`: shows the secrets that the tools need, and their resolvers. */
export const secretsCheckCommand: Command = {
  name: 'secrets check',
  description:
    'Show which secrets the tools need and which resolver or account has them; no value is printed. Leaves out providers that came with the program and have no secret set, unless --tools names them. Ends with 1 when a required one is missing.',
  flags: [
    {
      flag: '--tools <names>',
      description: 'comma-separated tools to look at; * stands for any characters (default: all)',
      parse: parseList,
    },
    { flag: '--exclude <names>', description: 'comma-separated tools to leave out of those', parse: parseList },
    { flag: '--json', description: 'print JSON' },
  ],
  topics: ['secrets', 'tools'],
  examples: [
    { line: "toolkit secrets check --tools 'github_*'", does: 'what these tools need' },
    { line: 'toolkit secrets check --json', does: 'for programs: secret, required, resolver, account, login, tools' },
  ],
  async run({ flags, createKernel, configFile, write, terminal }) {
    const kernel = await createKernel();
    try {
      const isVisible = toolFilter(
        flags['tools'] as string[] | undefined,
        flags['exclude'] as string[] | undefined,
        kernel.registry.tools.keys(),
      );
      const asked = [...kernel.registry.tools.values()].filter(isVisible);
      await kernel.resolveSecrets(secretNames(asked));
      const connected = await connectedSecrets(kernel, secretNames(asked));
      const findings = findSecrets(kernel, flags['tools'] === undefined ? usedTools(kernel, asked, connected) : asked, connected);
      write(flags['json'] === true ? jsonText(findings) : await report(findings, terminal));
      const missing = findings.filter(isMissing);
      if (missing.length > 0) throw await missingError(kernel, projectFolder(configFile), missing);
    } finally {
      await kernel.close();
    }
  },
};

async function missingError(kernel: Kernel, folder: string, missing: readonly SecretFinding[]): Promise<ToolkitError> {
  const names = missing.map(({ secret }) => secret);
  const hint = await unreadEnvFile(kernel, folder, names);
  const logins = [...new Set(missing.flatMap(({ login }) => login ?? []))];
  const byLogin = logins.length === 0 ? '' : `, or log in: ${formatFew(logins, 12)}`;
  return new ToolkitError(
    'MISSING_PARAMETER',
    `${names.length === 1 ? 'A required secret is' : `${names.length} required secrets are`} missing: ${formatFew(names, 12)}. Set the environment variable of that name, or add it to a configured secret store${byLogin}.${hint === undefined ? '' : ` ${hint}`}`,
  );
}

async function report(findings: readonly SecretFinding[], terminal: Terminal): Promise<string> {
  if (findings.length === 0) return 'No tool that is in use needs a secret. --tools looks at others.\n';
  const rows = findings.map((finding) => [
    paint(terminal, 'name', finding.secret),
    stateOf(finding, terminal),
    finding.tools.length === 1 ? finding.tools.join() : `${finding.tools.length} tools: ${formatFew(finding.tools)}`,
  ]);
  return textTable(terminal, [{}, {}, { narrow: 'cut' }], rows);
}

function stateOf({ resolver, account, login, required }: SecretFinding, terminal: Terminal): string {
  if (account === true) return paint(terminal, 'good', 'by an account');
  if (resolver !== undefined) return paint(terminal, 'good', `found by ${resolver}`);
  const how = login === undefined ? '' : ` (${login})`;
  return required ? paint(terminal, 'bad', `MISSING${how}`) : paint(terminal, 'quiet', `not set, optional${how}`);
}

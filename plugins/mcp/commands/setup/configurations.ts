import type { Terminal } from '../../../../kernel/index.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { type Client, tokenAdvice } from './clients/clients.ts';
import { shellLine } from './launch.ts';
import type { Transport } from './names.ts';
import { canAsk, type Plan } from './plan.ts';
import { isCommittable } from './secrets/is-committable.ts';

/** A client with the path of its file, if it has one. */
export interface ClientTarget {
  readonly client: Client;
  readonly file?: string;
  readonly isInstalled: boolean;
}

/** Formats the configurations to paste for one transport. Clients with the same text share it. */
export function configurations(terminal: Terminal, plan: Plan, transport: Transport, targets: readonly ClientTarget[]): string {
  const byText = new Map<string, ClientTarget[]>();
  for (const own of targets) {
    const text = plan.configurationText(own.client, transport);
    byText.set(text, [...(byText.get(text) ?? []), own]);
  }
  const parts = [...byText].map(([text, owners]) => {
    const titles = owners.map(
      ({ client, file }) => `${paint(terminal, 'name', client.label)}${file === undefined ? '' : `: ${visibleText(file)}`}\n`,
    );
    const notes = owners.flatMap(({ client }) => entryRemark(client, transport) ?? []).map((note) => `${note}\n`);
    return [...titles, ...notes, displayJson(text)].join('');
  });
  return parts.join('\n');
}

/** Writes invisible characters in JSON as escapes, which have the same meaning. */
export function displayJson(text: string): string {
  return `${text.split('\n').map(visibleText).join('\n')}\n`;
}

/** Returns a client's remark on its entry and the source of its token. */
export function entryRemark(client: Client, transport: Transport, holdsToken = false): string | undefined {
  const token = transport === 'http' ? [holdsToken ? 'It holds the token: only you can read the file.' : tokenAdvice(client)] : [];
  const parts = [...[client.note?.(transport) ?? []].flat(), ...token];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Warns when the program runs from the npx cache, which npm may empty; else an empty text. */
export function cacheAdvice({ launches }: Plan): string {
  const place = launches.stdio.args.find((word) => /[/\\]_npx[/\\]/.test(word));
  if (place === undefined) return '';
  return `The program runs from the cache of npx (${visibleText(place)}), which npm may empty: the entry stops working then. Install it (npm install --save-dev @toolkit/core, or --global) and run this again.\n`;
}

/** Warns that a project file may be shared with others. */
export async function projectFileAdvice(file: string): Promise<string> {
  const isCommitted = await isCommittable(file);
  const git = isCommitted ? ' git does not ignore the file: leave it out of commits, or others get paths that they do not have.' : '';
  return `The entry holds paths of this machine.${git}\n`;
}

/** Explains how to start the server for HTTP clients. */
export function httpAdvice({ launches, url }: Plan, platform: NodeJS.Platform): string {
  return [
    'Start the server yourself; set TOOLKIT_MCP_TOKEN first, else it makes another token at each start and prints it:',
    `  ${visibleText(shellLine(launches.http, platform))}`,
    `It is reached at ${url}, with that token.`,
    '',
  ].join('\n');
}

/** Explains by client who approves the tools that require approval. Empty when the configuration decides it or no tool requires approval. */
export function approvalAdvice({ gated, project, launches }: Plan, clients: readonly Client[], transports: readonly Transport[]): string {
  if (gated === 0 || project.scan.configuresApproval || clients.length === 0) return '';
  const some = `${gated} of these tools need${gated === 1 ? 's' : ''} approval.`;
  const isShared = !transports.includes('stdio') && !launches.http.args.includes('--approval');
  const asked = isShared ? [] : clients.filter(canAsk);
  const others = clients.filter((client) => !asked.includes(client));
  const parts = [
    ...(asked.length === 0
      ? []
      : [
          `${asked.map(({ label, elicitsSince }) => `${label} (from ${elicitsSince})`).join(', ')}: the server asks you (--approval elicit); older versions cannot ask, and such a tool is refused there.`,
        ]),
    ...(others.length === 0
      ? []
      : [
          `${others.map(({ label }) => label).join(', ')}: not known to show questions of a server${isShared ? ', or sharing the server with such a client' : ''}, so the tools run when the model itself says that you agreed. Leave them out (excludeTools, or a policy.yaml that denies them), or add --approval elicit where your client can ask.`,
        ]),
  ];
  return `${[some, ...parts].join('\n')}\n`;
}

import type { Command, Kernel, Provider, Terminal } from '../../../kernel/index.ts';
import { type ClientValue, clientValues } from '../../shared/oauth/client-values.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { knownProviders } from '../known-providers.ts';

/** A provider in the output of the command. */
interface ListedProvider {
  readonly name: string;
  readonly description?: string;
  /** A page that explains how to get a client. */
  readonly documentation_url?: string;
  readonly grant: 'code' | 'device' | 'client_credentials';
  /** True when a login works without a browser on this machine. */
  readonly has_device: boolean;
  /** The scopes, by group. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  /** Names of the values that a login supplies. */
  readonly provides: readonly string[];
  readonly has_client_id: boolean;
  /** Names that are not set: of the client, and in addresses. */
  readonly missing: readonly string[];
  readonly unverified: boolean;
  /** True for a provider without tools that comes with this program. */
  readonly is_preset: boolean;
}

/** `toolkit auth providers`: lists the providers that a person can log in to. */
export const authProvidersCommand: Command = {
  name: 'auth providers',
  description:
    'List the services that "toolkit auth login" can log in to, with the groups of scopes and the names that must be set first. "unverified": nobody has tried these facts with the service.',
  flags: [{ flag: '--json', description: 'print JSON' }],
  examples: [
    { line: 'toolkit auth providers', does: 'what can be connected, and what is not set for it yet' },
    { line: 'toolkit auth providers --json', does: 'for programs: also descriptions, scopes and names of values' },
  ],
  async run({ flags, createKernel, write, note, terminal }) {
    const kernel = await createKernel();
    try {
      const listed = await Promise.all(knownProviders(kernel.registry).map((provider) => listedProvider(kernel, provider)));
      write(flags['json'] === true ? jsonText(listed) : await report(listed, terminal));
      const broken = kernel.registry.problems.filter(({ severity }) => severity === 'error').length;
      if (broken > 0) note(`${broken} problems of definitions: "toolkit validate" shows them.\n`);
    } finally {
      await kernel.close();
    }
  },
};

async function listedProvider(kernel: Kernel, provider: Provider): Promise<ListedProvider> {
  const values = await clientValues(kernel, provider);
  const { name, definition, origin } = provider;
  const { description, documentation_url } = definition.provider;
  const { grant = 'code', device_url, scopes = {}, provides = {}, unverified = false, client_id: clientId } = definition.oauth2 ?? {};
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(documentation_url === undefined ? {} : { documentation_url }),
    grant,
    has_device: device_url !== undefined,
    scopes,
    provides: Object.keys(provides),
    has_client_id: clientId !== undefined && clientId !== '' && values.every((value) => value.isSet || !isNamedIn(value, clientId)),
    missing: values.filter(({ isSet }) => !isSet).map((value) => value.name),
    unverified,
    is_preset: origin.isPreset === true,
  };
}

function isNamedIn({ name }: ClientValue, text: string): boolean {
  return text.includes(`{${name}}`);
}

async function report(listed: readonly ListedProvider[], terminal: Terminal): Promise<string> {
  if (listed.length === 0) return 'No provider has "oauth2" in its definition.\n';
  const rows = listed.map((one) => [
    paint(terminal, 'name', visibleText(one.name)),
    stateOf(one, terminal),
    one.unverified ? paint(terminal, 'quiet', 'unverified') : '',
    visibleText(Object.keys(one.scopes).join(', ')),
  ]);
  return textTable(terminal, [{ heading: 'provider' }, { heading: 'client' }, {}, { heading: 'groups of scopes', narrow: 'wrap' }], rows);
}

function stateOf({ provides, missing, has_client_id: hasClient }: ListedProvider, terminal: Terminal): string {
  if (provides.length === 0) return paint(terminal, 'warning', 'gives tools nothing: its oauth2 has no "provides"');
  if (missing.length > 0) return paint(terminal, 'warning', missing.map((name) => `set ${visibleText(name)}`).join('\n'));
  return hasClient ? paint(terminal, 'good', 'ready') : paint(terminal, 'warning', 'its oauth2 has no "client_id"');
}

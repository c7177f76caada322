import { checkValue, type Kernel, type Terminal, type Tool } from '../../../../kernel/index.ts';
import { connectedSecrets } from '../../../shared/oauth/connected-secrets.ts';
import { type CredentialState, credentialStates } from '../../../shared/secrets/credential-states.ts';
import { type Prompts, prompts } from '../../../shared/terminal/prompts.ts';
import { textTable } from '../../../shared/terminal/table.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';

/**
 * Asks for the tool's missing credentials, for one call. Asks nothing when the parameters are wrong, because the call reports that itself.
 * Throws ABORTED when the user cancels.
 */
export async function askCredentials(
  kernel: Kernel,
  tool: Tool,
  parameters: Readonly<Record<string, unknown>>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  if (tool.credentials.length === 0 || hasInvalidParameters(tool, parameters)) return {};
  await raceWithSignal(signal, kernel.resolveSecrets(tool.credentials.map(({ secret }) => secret)));
  const connected = await connectedSecrets(
    kernel,
    tool.credentials.map(({ secret }) => secret),
  );
  const given = new Map<string, string>();
  const asked = new Set(tool.credentials.filter(({ secret }) => connected.has(secret)).map(({ name }) => name));
  let asking: Prompts | undefined;
  for (;;) {
    const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)] as const);
    const known = new Map([...texts, ...given]);
    const states = credentialStates(tool, kernel, known);
    const next = nextQuestion(states, asked);
    if (next === undefined) return Object.fromEntries(given);
    if (asking === undefined) terminal.error.write(await introduction(tool, terminal));
    asking ??= await prompts(terminal, signal);
    const question = questionOf(next, tool, states);
    const answer = next.isSecret ? await asking.hidden(question) : await asking.text(question);
    asked.add(next.name);
    if (answer !== undefined && answer !== '') given.set(next.name, answer);
  }
}

/** Returns the next credential to ask for. One that makes others unnecessary comes before them: one answer is then enough. */
function nextQuestion(states: readonly CredentialState[], asked: ReadonlySet<string>): CredentialState | undefined {
  const missing = states.filter(({ name, isMissing }) => isMissing && !asked.has(name));
  const first = missing.find(({ deriveFrom }) => deriveFrom === undefined) ?? missing[0];
  const other = states.find(({ name }) => name === first?.unless || name === first?.deriveFrom?.parameter);
  return other === undefined || asked.has(other.name) ? first : other;
}

/** Waits for `work`. Rejects with the signal's reason when it aborts first. */
async function raceWithSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** True when the kernel will refuse the parameters. A credential among them is allowed. */
function hasInvalidParameters({ inputSchema, parameters: declared, credentials }: Tool, given: Readonly<Record<string, unknown>>): boolean {
  const own = Object.entries(given).filter(
    ([name, value]) => value !== null && (Object.hasOwn(declared, name) || !credentials.some((need) => need.name === name)),
  );
  const defaults = Object.entries(declared).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value] as const]));
  return checkValue(inputSchema, { ...Object.fromEntries(defaults), ...Object.fromEntries(own) }).length > 0;
}

async function introduction({ name, provider }: Tool, { error }: Terminal): Promise<string> {
  const { columns = 80 } = error as Terminal['error'] & { readonly columns?: number };
  const url = provider?.definition.provider.documentation_url;
  const where = url === undefined ? '' : ` How to get it: ${terminalText(url)}`;
  const text = `"${name}" needs a secret that no store has. What you type is used for this call only, and not stored.${where}`;
  return textTable({ columns, hasColors: false }, [{ narrow: 'wrap' }], [[text]]);
}

function questionOf(
  { name, secret, isMissing, anyOf = [] }: CredentialState,
  { provider }: Tool,
  states: readonly CredentialState[],
): string {
  const description = provider?.definition.parameter_mapping?.find(({ parameter }) => parameter === name)?.description;
  const others = states.filter((state) => state.isMissing && (state.unless === name || state.deriveFrom?.parameter === name));
  const ways = new Set(anyOf.filter((group) => !group.includes(name)).flat());
  const otherWays = states.filter((state) => state.isMissing && ways.has(state.name)).map((state) => state.secret);
  const instead = [...new Set([...others.map((other) => other.secret), ...otherWays])].join(', ');
  return [
    secret,
    ...(description === undefined ? [] : [terminalText(description)]),
    ...((isMissing && otherWays.length === 0) || instead === '' ? [] : [`(or leave it empty, to be asked for ${instead})`]),
  ].join(' ');
}

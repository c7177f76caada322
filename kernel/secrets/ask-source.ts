import { excerpt, messageOf, sentence, ToolkitError } from '../errors.ts';
import { describeValue, isPlainObject } from '../json/json.ts';
import type { CredentialRequest, CredentialSource, MissingCredential, SourcedCredential } from './credential-source.ts';

/** A source with its plugin. */
export interface PluginSource {
  readonly plugin: string;
  readonly source: CredentialSource;
}

export type CredentialAnswer = SourcedCredential | MissingCredential;

/**
 * Asks one source. Returns its answers by name, without names that were not asked for. Throws what the source throws as a ToolkitError, else
 * SECRET_STORE_UNAVAILABLE, also for an answer of the wrong form: no part of it may be replaced by a value of another source. `mask` masks messages.
 */
export async function askSource(
  { plugin, source }: PluginSource,
  request: CredentialRequest,
  mask: <T>(value: T) => T,
): Promise<ReadonlyMap<string, CredentialAnswer>> {
  const failed = (problem: string, cause?: unknown): ToolkitError =>
    new ToolkitError(
      'SECRET_STORE_UNAVAILABLE',
      sentence(`The credentials of the caller "${request.caller}" are not known: ${problem}`),
      { plugin },
      { cause },
    );
  const checked = new Map<string, CredentialAnswer>();
  let answers: ReadonlyMap<string, CredentialAnswer>;
  try {
    answers = await source.find(request);
  } catch (error) {
    // Masked before it is cut: a cut secret is not recognised.
    throw ToolkitError.is(error) ? error.with({ plugin }) : failed(`plugin "${plugin}" failed: ${excerpt(mask(messageOf(error)))}`, error);
  }
  if (!(answers instanceof Map)) throw failed(`plugin "${plugin}" gave ${typeOf(answers)}, expected a map of credentials by name`);
  for (const name of request.names) {
    const answer: unknown = answers.get(name);
    const problem = answer === undefined ? undefined : problemOf(answer);
    if (problem !== undefined) throw failed(`plugin "${plugin}" gave ${problem} as ${name}`);
    if (answer !== undefined) checked.set(name, answer as CredentialAnswer);
  }
  return checked;
}

/** Returns the problem of an answer. Names only types: the value may be part of a secret. */
function problemOf(answer: unknown): string | undefined {
  if (!isPlainObject(answer)) return `${typeOf(answer)}, expected { value } or { missing }`;
  const { missing, value, deadAfterMs } = answer;
  if (missing !== undefined) return ToolkitError.is(missing) ? undefined : `a "missing" of ${typeOf(missing)}, expected a ToolkitError`;
  if (typeof value !== 'string' || value === '') return `a "value" of ${value === '' ? 'no characters' : typeOf(value)}, expected a text`;
  const isTime = deadAfterMs === undefined || (typeof deadAfterMs === 'number' && !Number.isNaN(deadAfterMs));
  return isTime ? undefined : `a "deadAfterMs" of ${typeOf(deadAfterMs)}, expected milliseconds`;
}

function typeOf(value: unknown): string {
  return `type ${describeValue(value).split(' ')[0]}`;
}

import type { Masking } from '../log/bounded-text.ts';
import { plainMeta } from '../log/plain-meta.ts';
import type { CallClient } from './client.ts';

/** Returns the client with masked requests, which are cancelled when the call ends. */
export function maskedClient(client: CallClient, masking: Masking, signal: () => AbortSignal): CallClient {
  const { mask } = masking;
  const { elicit, elicitUrl, approve, onHeld, sample, roots, later, answersRecord, repeatsCall, scopes, log, logEntry, logLevel } = client;
  return {
    ...(elicit === undefined ? {} : { elicit: (question, own = signal()) => elicit(mask(question), own) }),
    // The address stays as it is: the id in it must reach the person.
    ...(elicitUrl === undefined ? {} : { elicitUrl: (request, own = signal()) => elicitUrl({ ...mask(request), url: request.url }, own) }),
    ...(approve === undefined ? {} : { approve: (question, own = signal()) => approve(mask(question), own) }),
    ...(onHeld === undefined ? {} : { onHeld }),
    ...(sample === undefined ? {} : { sample: (request, own = signal()) => sample(mask(request), own) }),
    ...(roots === undefined ? {} : { roots: (own = signal()) => roots(own) }),
    ...(later === undefined ? {} : { later: (status) => later(status === undefined ? undefined : mask(status)) }),
    ...(answersRecord === undefined ? {} : { answersRecord }),
    ...(repeatsCall === undefined ? {} : { repeatsCall }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(log === undefined
      ? {}
      : { log: (level, message, meta) => log(level, mask(message), meta === undefined ? undefined : plainMeta(meta, { masking })) }),
    ...(logEntry === undefined ? {} : { logEntry: (entry) => logEntry(mask(entry)) }),
    ...(logLevel === undefined ? {} : { logLevel }),
  };
}

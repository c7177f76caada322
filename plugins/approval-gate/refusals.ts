import type { TokenRefusal } from './approval-tokens.ts';

/** Reasons for refusing a token, as the rest of a sentence that begins "its approval token". */
export const refusals: Readonly<Record<TokenRefusal, string>> = {
  malformed: 'is not one: expected 72 letters, digits, "-" and "_". Give it exactly as you were given it',
  foreign:
    'is not for this call: tool, definition, provider, code, program, destination, content, files, parameters and caller must be those that were approved, on the same server, or one that shares its store or state folder',
  expired: 'has expired. Call again without it, to have the person asked again',
  used: 'has been used, and counts once. Call again without it, to have the person asked again',
  unwritable:
    'cannot be taken now, because its use could not be recorded: the state folder of the service, or its store, cannot be written. Tell the person',
  full: 'cannot be taken now, because too many others were. Call again later',
};
